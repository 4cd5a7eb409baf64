#if canImport(Security)
    import Foundation
    import Security

    /// The keychain. Its items don't leave the device.
    struct KeychainSecrets: VaultSecrets {
        private static let service = "org.perennial.OpenStoreKit"

        func secret(of owner: String) throws -> StoredSecret? {
            var query = item(owner)
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data,
                let secret = StoredSecret(text: String(decoding: data, as: UTF8.self))
            else { throw failure(status) }
            return secret
        }

        func store(_ secret: StoredSecret, of owner: String) throws {
            let data = Data(secret.text.utf8)
            let update = SecItemUpdate(item(owner) as CFDictionary, [kSecValueData as String: data] as CFDictionary)
            if update == errSecSuccess { return }
            var new = item(owner)
            new[kSecValueData as String] = data
            new[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let status = SecItemAdd(new as CFDictionary, nil)
            guard status == errSecSuccess else { throw failure(status) }
        }

        private func item(_ owner: String) -> [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: Self.service,
                kSecAttrAccount as String: owner,
            ]
        }

        private func failure(_ status: OSStatus) -> FileError {
            FileError(.other, path: "keychain", reason: "status \(status)")
        }
    }
#endif
