// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSSH

/// Packets that another implementation made: "first" and 32 times x in messages to be ignored, padded with 0, 1, 2, ...
struct SSHKnownPackets: Sendable {
    let cipher: SSHCipher
    let mac: SSHMAC?
    let hex: [String]

    init(_ cipher: SSHCipher, _ mac: SSHMAC?, _ hex: [String]) {
        self.cipher = cipher
        self.mac = mac
        self.hex = hex
    }

    static let all = [
        SSHKnownPackets(
            .aes128GCM,
            nil,
            [
                "0000001097129ce950ec64adf8ebe7a44d68ce34c8643727624ebd77a45db5aec6bf7f1f00000030f9c95892",
                "4075002825617c8a824fa6df669858728e6ff84fc3c38027a905d4e54d25dc080d87c3b54082f4496bd3fe40",
                "20473d9ee2b8ba13b427e1c176e460a6",
            ]
        ),
        SSHKnownPackets(
            .aes256GCM,
            nil,
            [
                "00000010d137e91ca0d21461fca38672e551d0966b9f3aa40acd0bdb7cce55dab13253c1000000300492a138",
                "df018626611e3363c1f9e01a91908e51ab4ce089ca917962eb5944493f7bc20cd42844bd7e5a9893f297675f",
                "66f24898c64b40547192d93f00cc6f18",
            ]
        ),
        SSHKnownPackets(
            .aes128CTR,
            .sha256ETM,
            [
                "00000010c94a9ad100f4957f0697ac33ecaefbbe8e3f0416ac08bf26cb412b8d7848b54b4a87fead275057f6",
                "2513f98554421fb700000030b11eb9e255bf7164c23c2a549ae4a8541c6706de1fcedede8ce7b8e2563fd22f",
                "e64184c90b9ff69e243db3c75dc6d6ca0881a0a83c155c7c4a93809d6a41808334b8e489deac2213b6bf2c93",
                "d3fe0e9c",
            ]
        ),
        SSHKnownPackets(
            .aes128CTR,
            .sha512ETM,
            [
                "00000010c94a9ad100f4957f0697ac33ecaefbbe1da21c3e8485fc1c5a92b4117553c1a4927bd0aaec06956c",
                "1f64194bca57f4ce9b9c7763e967d3ed5038240a647a7055b2d112a697d0e0e3386beaa725e7d49700000030",
                "b11eb9e255bf7164c23c2a549ae4a8541c6706de1fcedede8ce7b8e2563fd22fe64184c90b9ff69e243db3c7",
                "5dc6d6ca81178e5e9b8866ea520df2eb4c5aad507db2527290a737108ec240fcc80042429a64304c6848d638",
                "69f2ec61f5248de61e1538c35eb84e3ba5a29016e1cc3e19",
            ]
        ),
        SSHKnownPackets(
            .aes128CTR,
            .sha256,
            [
                "cc489acd11f3f31674e1be5a9fdf8cbaba1ebae650990e14b34e5920ef92df3c477c52a8fcc23cc3a812b503",
                "e9eab5d63aa71aafd3ab7ab930eb666b0198aea3641f7e8a61b4a6a6f4bfb8e2563fd22fe64184c90b9f8ee7",
                "5e46cfba23b9a6bb98268eaa1c5a392f63aae08dab5b78b4eef14311d1b0c85a324e21ceeb2fa46d43c8eeaf",
                "869196e144c53ca93b2d8d13",
            ]
        ),
        SSHKnownPackets(
            .aes128CTR,
            .sha512,
            [
                "cc489acd11f3f31674e1be5a9fdf8cbaba1ebae650990e14b34e5920ef92df3cc89f2655b614cf918978c983",
                "d94e3fd741441ef3e0dbb8f26b56971cc29e457f87034c5961d15c1928c5d41038a08f41ba62ecd0acd3b5f6",
                "17891ea5136e97c7641f7e8a61b4a6a6f4bfb8e2563fd22fe64184c90b9f8ee75e46cfba23b9a6bb98268eaa",
                "1c5a392f63aae08dab5b78b4272683b87746d54f86c879b00ec3c8e644c1c24124ee87663a6dd0aa194491ce",
                "5a7ba54fca1ff733a390795d8f3a49802da86eae56a15e8cf172949de621ee5c",
            ]
        ),
        SSHKnownPackets(
            .aes256CTR,
            .sha256ETM,
            [
                "000000100347620f84f22924642368aa73b9e8642e3cf1c0ca9d12ddc1ca427393c44d771128f939ea351db2",
                "952d7531edcd0c10000000302b4ec92f32c1b999fcee244deeaa7e8d039d7af1a595097741373402493636b0",
                "f0b2157e8eda07802f13f1918bb62d21d25d4a44b82014773a711c6d075ed4a87b5699d2a807ef5cb2a8b765",
                "6498d32a",
            ]
        ),
        SSHKnownPackets(
            .aes256CTR,
            .sha512ETM,
            [
                "000000100347620f84f22924642368aa73b9e8647705a11e8f7f872231635d51306dd4c1dc8d99f8c3c45645",
                "5b5cb146b1b41fe68689e2cf2f93f64f5fbdc9612bd60421f218cdf9804d7540ffb2ed4c65e917cf00000030",
                "2b4ec92f32c1b999fcee244deeaa7e8d039d7af1a595097741373402493636b0f0b2157e8eda07802f13f191",
                "8bb62d21cbb81aec241c39b21ddab712cc889c2f63c297cd82415e49db63c2d62f4a58732362ff70cc967e64",
                "31e2648106900a0ea80770827c9954f31f157b264d4aa115",
            ]
        ),
        SSHKnownPackets(
            .aes256CTR,
            .sha256,
            [
                "0645621395f54f4d16557ac300c89f60204eca2b37e7c6e98d9c57399bdc09e5477c52a8fcc23cc3a812b503",
                "e9eab5d63aa71aafd3ab7ab930eb666b0198aea37be502a5dbef710f396f3402493636b0f0b2157e8eda7ff9",
                "55688decf5c95d50cf970ff5118c5ac207928c344fa58490eef14311d1b0c85a324e21ceeb2fa46d43c8eeaf",
                "869196e144c53ca93b2d8d13",
            ]
        ),
        SSHKnownPackets(
            .aes256CTR,
            .sha512,
            [
                "0645621395f54f4d16557ac300c89f60204eca2b37e7c6e98d9c57399bdc09e5c89f2655b614cf918978c983",
                "d94e3fd741441ef3e0dbb8f26b56971cc29e457f87034c5961d15c1928c5d41038a08f41ba62ecd0acd3b5f6",
                "17891ea5136e97c77be502a5dbef710f396f3402493636b0f0b2157e8eda7ff955688decf5c95d50cf970ff5",
                "118c5ac207928c344fa58490272683b87746d54f86c879b00ec3c8e644c1c24124ee87663a6dd0aa194491ce",
                "5a7ba54fca1ff733a390795d8f3a49802da86eae56a15e8cf172949de621ee5c",
            ]
        ),
    ]
}
