import Foundation

extension PurchaseVault {
    /// Place of a vault's key, and the values beside the owner that its files are bound to.
    package struct Protection: Sendable {
        /// The system's storage of secrets; `nil` for a key file with mode 0600.
        package var secrets: (any VaultSecrets)?
        /// False for a vault that ends with the process, as that of a test's session: its state is never sealed or written. Values
        /// beside it are.
        package var keepsState = true
        /// Name of the machine, so that files copied to another one are refused; empty for none.
        package var machine: String

        package init(secrets: (any VaultSecrets)?, machine: String) {
            self.secrets = secrets
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

        /// The storage of secrets that this system has, and this machine.
        package static let system = Protection(secrets: systemSecrets, machine: machineID)

        private static var systemSecrets: (any VaultSecrets)? {
            #if canImport(Security)
                KeychainSecrets()
            #elseif os(Linux)
                SecretService.ofSession
            #else
                nil
            #endif
        }

        /// The machine's identifier of systemd; empty where there is none, as in most containers.
        private static var machineID: String {
            #if os(Linux)
                let text = (try? InputFile.contents(path: "/etc/machine-id", maximumBytes: 1024)) ?? nil
                return text.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
                    ?? ""
            #else
                // The keychain's items stay on their device.
                ""
            #endif
        }
    }
}
