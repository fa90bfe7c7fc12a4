// Riff
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file

// Stand-ins for the declarations of Security and of Core Foundation that RiffApple uses; see AVFAudio.swift. Core
// Foundation's strings and dictionaries are bridged on Apple's systems, and are plain types here.
// https://developer.apple.com/documentation/security
public typealias CFString = String
public typealias CFTypeRef = AnyObject
public typealias CFDictionary = [String: Any]
public typealias OSStatus = Int32

public let kSecValueData = "data"
public let kSecClass = "class"
public let kSecClassGenericPassword = "generic"
public let kSecAttrService = "service"
public let kSecAttrAccount = "account"
public let kSecAttrSynchronizable = "synchronizable"
public let kSecUseDataProtectionKeychain = "protected"
public let kSecAttrAccessGroup = "group"
public let kSecReturnData = "return"
public let kSecAttrAccessible = "accessible"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "after"

public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25_300
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecDecode: OSStatus = -26_275

public func SecItemUpdate(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus { 0 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { nil }
