// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// Keys that were made for these tests alone, all with the passphrase "correct horse", by the programs and versions
/// that are named.
struct PrivateKeyFixtures: Sendable, CustomStringConvertible {
    let pem: String
    let publicLine: String

    static let passphrase = Secret("correct horse")
    static let all = [aes256CTR, aes256CBC, aes256GCM, p521, p256PKCS8, ed25519PKCS8]

    var description: String { publicLine }

    func key(_ passphrase: Secret = Self.passphrase) throws(CoreError) -> SSHPrivateKey {
        try SSHPrivateKey(pem: Secret(pem), passphrase: passphrase)
    }

    /// OpenSSH's own default: `ssh-keygen -t ed25519 -a 16`, OpenSSH 9.2.
    static let aes256CTR = PrivateKeyFixtures(
        pem: """
            -----BEGIN OPENSSH PRIVATE KEY-----
            b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABCVIvkr40
            LBOyxcSkqpqpRsAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIFAmD4RNUXNIGr6F
            GcxdBFoT9RS8zKQ4I85XJEDDwaYhAAAAoGqVfTK/+pZkoNffMQ35FQbHOs655zPfx5Okjd
            8fVeYOJs5cegCelP4Btaef0Xfa0yxboOcXabN3cU+QFexAtRXMNz+anl9SKyW/9iCVwsKU
            4g0fRzE63zpAyQq2Ju5D4+C4+hjVBUJzPLR9TiVmxQ3m6t8XCFlCoPO05LdZWzqTjbDkTR
            R0/agNEYJqL39VoYQaXamH0fb0Kd11zULURiw=
            -----END OPENSSH PRIVATE KEY-----
            """,
        publicLine: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFAmD4RNUXNIGr6FGcxdBFoT9RS8zKQ4I85XJEDDwaYh fixture a"
            + "es256-ctr"
    )

    /// One round, so that it is opened at once: `ssh-keygen -t ed25519 -a 1 -Z aes256-cbc`, OpenSSH 9.2.
    static let aes256CBC = PrivateKeyFixtures(
        pem: """
            -----BEGIN OPENSSH PRIVATE KEY-----
            b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jYmMAAAAGYmNyeXB0AAAAGAAAABC9Rc/pvQ
            nz7mF/tJXQhiQRAAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIDbkaIcNv6mweuVg
            S6PcO/KhQWLH08unn0srUtmLXrx4AAAAoIYixTck/eHuMuL11KOG9JGZrAIZZu3gcTgln3
            3jYp68ts+causUba4WlFM6skFjPCp+jD0AHQGkkPckVs7LVpxhapLGjVNdRmyTvQGRioZr
            O0UbhsEw2d4hig9+EI0NYxwEzaNLGeQ6JLJxZssJjf3qMU7phOR0MFzfV7pbvBQbnvRlL7
            Zl4aHxFz74EgD0s6RgqX4Ik1IPExNdpz7rPQA=
            -----END OPENSSH PRIVATE KEY-----
            """,
        publicLine: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDbkaIcNv6mweuVgS6PcO/KhQWLH08unn0srUtmLXrx4 fixture a"
            + "es256-cbc"
    )

    /// `ssh-keygen -t ed25519 -a 16 -Z aes256-gcm@openssh.com`, OpenSSH 9.2.
    static let aes256GCM = PrivateKeyFixtures(
        pem: """
            -----BEGIN OPENSSH PRIVATE KEY-----
            b3BlbnNzaC1rZXktdjEAAAAAFmFlczI1Ni1nY21Ab3BlbnNzaC5jb20AAAAGYmNyeXB0AA
            AAGAAAABDvW9PIB+eTMCMU7jsd9b0NAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAA
            IOxexwrR4OAMDPrX2twOaMj0EHNPnSjsD9gPRjKU7Ws9AAAAsPe9wB5yMchWgyB+mzddj2
            PRSIa+VeTfG9dM204lbdznFI624OJCa4chmCdRfUPiIeJBZb5xMpnj/GdpQOac5QzB8waS
            6tr4s5w89uRpdAuMRRbrpBdUxzP1Jnm+LI4G9AWp5B5CuGp/FbsCNUriuS9RYrMX1Jjwxy
            ips6sbD8YP81T0cw4GGp436NvfG/Fht9IPja2+VT8/VEFRISqHEBJa68FOzjUX/AGTP87o
            OzbNT/Um0oS3P/aC6AzvPbGF9Q==
            -----END OPENSSH PRIVATE KEY-----
            """,
        publicLine: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOxexwrR4OAMDPrX2twOaMj0EHNPnSjsD9gPRjKU7Ws9 fixture a"
            + "es256-gcm@openssh.com"
    )

    /// `ssh-keygen -t ecdsa -b 521 -a 24`, OpenSSH 9.2.
    static let p521 = PrivateKeyFixtures(
        pem: """
            -----BEGIN OPENSSH PRIVATE KEY-----
            b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABB1KIjjkm
            tHCBOKsR52+V/FAAAAGAAAAAEAAACsAAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlz
            dHA1MjEAAACFBABEh8duxkfUoWmRWDQJQpxXOpsL2ibwW6kZsjJkTls4ti1OTaVt6rJfto
            cG4i2xk/Cfnt371TYdWtT+0LJFFkmd8wEdbUI4MKWZXvjd1YZ1jCMclIh9vokZfvgsI7ys
            614c8R9o7te7Ux4LAxmAWF70sjXx1XIMX0ojmyU9D+egh7S23QAAARCSJ4ZKchQEvEjhW3
            XtVVrMLZ5RXURLrfFmYzCrtq1aLFAQ19YvDwSxxqhiJKwpUqj9ezoON38/9DMnjjlyDydp
            mbiijqZ0BhrUzk3oYozcfa232dzeSz3g+mWS6TDDOz3/eceFLMyuxWxIMNfDdanCR+Fp2U
            hra2G6RLN7d1cp/3LGQc8RoGhIvnGdf6kMoefq3vmxqI6BgQQj72EqxEVOkViIV/dXF4jO
            tbK7T+S/70+POVeNLOTiYOcC9gkWKWcwAGLHxJl25kJizcbGenWbUW/WQXNssDBJytXR2I
            QStQpIvPyMAElL2c3AGiEMV2MDYLt7i9W9Kv/NWJ5/PpO3/qcRvB/uEb+xZme/eSsZ7A==
            -----END OPENSSH PRIVATE KEY-----
            """,
        publicLine: "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBABEh8duxkfUoWmRWD"
            + "QJQpxXOpsL2ibwW6kZsjJkTls4ti1OTaVt6rJftocG4i2xk/Cfnt371TYdWtT+0LJFFkmd8wEdbUI4MKWZXvjd1YZ1"
            + "jCMclIh9vokZfvgsI7ys614c8R9o7te7Ux4LAxmAWF70sjXx1XIMX0ojmyU9D+egh7S23Q== fixture p521"
    )

    /// `ssh-keygen -t ecdsa -b 256 -m PKCS8`, OpenSSH 9.2.
    static let p256PKCS8 = PrivateKeyFixtures(
        pem: """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgZGntjEqLyvQICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEGnRs3wGxjj9Rymjtx8rgBQEgZBv
            FtEWQgis6wN+Ad0ae7lgX8kbk+X9VUlenBxHAfWnQ9QRCbzrP+flW2zS1WK22Awi
            VzU0/kn10kFZxhXK1s8eTXyZ5JosU1Im1ABivkRTHAgFnQhBUC3HnQNlYynuhtt0
            PYuHqy7kzkLyr3YXaj/rsBu+DyVdbno/5FzOpqaI4e+hc+rkozM8lTUvm8RhWMU=
            -----END ENCRYPTED PRIVATE KEY-----
            """,
        publicLine: "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMbTz/xVIEXWQRX/bu"
            + "pXTNh7SPbhRuoYKUTEfYqqZNKEY/HWtkfbumY7LkTtktHhHKjDtb+LqTkNcB0Rgvw15Ww="
    )

    /// `openssl genpkey -algorithm ed25519 -aes-256-cbc`, OpenSSL 3.0.
    static let ed25519PKCS8 = PrivateKeyFixtures(
        pem: """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiAZozkDz88MwICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEED6wNPJbInpkw/87VKQ63KMEQBDu
            SvQYr5bAMBHd5wu8MaZf60zOPhGzUG2kXq3EKUQ4H/4BUgjp6pQv+uv1Cpt+bDY7
            tI2MUd2APwHqwYtsZzo=
            -----END ENCRYPTED PRIVATE KEY-----
            """,
        publicLine: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPSFK3vZjBgyiTxbQURm48HbtU+a4CQHbb5RTOvEHH+q"
    )
}
