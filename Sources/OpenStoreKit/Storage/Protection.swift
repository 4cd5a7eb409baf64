import Dispatch
import Foundation

extension PurchaseVault {
    /// Place of a vault's key, and the values beside the owner that its files are bound to.
    package struct Protection: Sendable {
        /// Storages of secrets for the key, the preferred one first; empty for a key file with mode 0600 beside the vault.
        package var storages: [any VaultSecrets]
        /// False for a vault that ends with the process, as that of a test's session: its state is never sealed or written. Values
        /// beside it are.
        package var keepsState = true
        /// Name of the machine, so that files copied to another one are refused; empty for none.
        package var machine: String

        /// Longest time for which a storage of secrets that asks the customer blocks a caller that can't suspend.
        package var longestBlock = DispatchTimeInterval.milliseconds(200)

        package init(secrets: (any VaultSecrets)?, machine: String) {
            self.init(storages: secrets.map { [$0] } ?? [], machine: machine)
        }

        package init(storages: [any VaultSecrets], machine: String) {
            self.storages = storages
            self.machine = machine
        }

        /// A key file beside the vault, and no machine.
        package static let files = Protection(secrets: nil, machine: "")

        /// A vault in memory only, and a key file for the values beside it.
        package static let memory = {
            var protection = files
            protection.keepsState = false
            return protection
        }()

        /// The storages of secrets that this system has, and this machine.
        ///
        /// - Parameter folder: Storage folder of the connection.
        package static func system(for folder: URL) -> Protection {
            Protection(storages: systemStorages(for: folder), machine: machineID)
        }

        private static func systemStorages(for folder: URL) -> [any VaultSecrets] {
            #if canImport(Security)
                return [KeychainSecrets()]
            #elseif os(Linux)
                let places: [(any VaultSecrets)?] = [SecretService.ofSession, KeyFolder.ofUser(forVaultsIn: folder)]
                return places.compactMap { $0 }
            #else
                return []
            #endif
        }

        /// The machine's identifier of systemd; empty where there is none, as in most containers.
        private static let machineID: String = {
            #if os(Linux)
                let text = (try? InputFile.contents(path: "/etc/machine-id", maximumBytes: 1024)) ?? nil
                return text.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
                    ?? ""
            #else
                // The keychain's items stay on their device.
                return ""
            #endif
        }()
    }
}
