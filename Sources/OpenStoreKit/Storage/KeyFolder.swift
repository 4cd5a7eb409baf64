import Foundation

/// Keys with their numbers in files of a folder of the user's, outside of the apps' folders, where the system has no storage of
/// secrets.
///
/// A copy of an app's folder that is put back, as a whole or in parts, is older than the number here. Copies of both folders aren't
/// told from the last state: nothing on the device can.
package struct KeyFolder: VaultSecrets {
    private let files: FolderStore

    package var place: VaultKeyPlace { .keyFolder }
    package var isFast: Bool { true }

    package init(folder: URL) {
        files = FolderStore(folder: folder)
    }

    /// The folder of the user for keys of vaults in a storage folder; `nil` without a home folder, and for temporary files, whose keys
    /// go with them.
    static func ofUser(forVaultsIn storageFolder: URL) -> KeyFolder? {
        let variables = ProcessInfo.processInfo.environment
        let temporary = [FileManager.default.temporaryDirectory.path, "/tmp", "/var/tmp"]
        let path = storageFolder.standardizedFileURL.path
        guard !temporary.contains(where: { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }) else {
            return nil
        }
        let state: String
        if let named = variables["XDG_STATE_HOME"], named.hasPrefix("/") {
            state = named
        } else if let home = variables["HOME"], home.hasPrefix("/"), home != "/" {
            state = home + "/.local/state"
        } else {
            return nil
        }
        return KeyFolder(
            folder: URL(fileURLWithPath: state, isDirectory: true).appendingPathComponent("OpenStoreKit/keys"))
    }

    /// Reads a key with its number. A damaged key is none: the vault is then refused, and rebuilt. A damaged number is that of the key's
    /// file: numbers may be behind.
    package func secret(of name: String) throws -> StoredSecret? {
        guard var secret = try files.read(name).flatMap({ StoredSecret(text: String(decoding: $0, as: UTF8.self)) })
        else { return nil }
        let number = try files.read(numberName(name)).flatMap {
            StoredSecret.number(String(decoding: $0, as: UTF8.self))
        }
        secret.number = max(secret.number, number ?? 0)
        return secret
    }

    /// Stores a key durably. Its number is in a file of its own, which is written with each change of the vault and not synchronized.
    package func store(_ secret: StoredSecret, of name: String) throws {
        if try self.secret(of: name)?.key == secret.key {
            let file = files.folder.appendingPathComponent(numberName(name))
            return try Data("\(secret.number)".utf8).write(to: file, options: .atomic)
        }
        try FileManager.default.createDirectory(
            at: files.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try files.write(Data(secret.text.utf8), to: name)
    }

    private func numberName(_ name: String) -> String { name + ".number" }
}
