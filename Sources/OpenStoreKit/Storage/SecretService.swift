#if os(Linux)
    import Dispatch
    import Foundation
    import Synchronization

    /// The Secret Service of the customer's desktop session (GNOME Keyring, KWallet), by the program `secret-tool`.
    package struct SecretService: VaultSecrets {
        /// Maximum wait for the service in seconds, which asks the customer to unlock it.
        private static let timeout: Double = 10
        /// Exit status of `secret-tool lookup` without a match and without a message.
        private static let notFound: Int32 = 1

        private let program: URL

        package init(program: URL) {
            self.program = program
        }

        /// The service of this session; `nil` without a session bus or without `secret-tool`.
        static var ofSession: SecretService? {
            let environment = ProcessInfo.processInfo.environment
            guard environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false else { return nil }
            let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            let found = folders.lazy.map { URL(fileURLWithPath: String($0)).appendingPathComponent("secret-tool") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
            return found.map(SecretService.init)
        }

        package func secret(of owner: String) throws -> StoredSecret? {
            let result = try run(["lookup"] + attributes(of: owner), input: nil)
            if result.status == Self.notFound, result.output.isEmpty, result.errors.isEmpty { return nil }
            guard result.status == 0, let secret = StoredSecret(text: String(decoding: result.output, as: UTF8.self))
            else { throw failure(result) }
            return secret
        }

        package func store(_ secret: StoredSecret, of owner: String) throws {
            let result = try run(
                ["store", "--label=Purchases of an app"] + attributes(of: owner), input: Data(secret.text.utf8))
            guard result.status == 0 else { throw failure(result) }
        }

        private func attributes(of owner: String) -> [String] {
            ["application", "OpenStoreKit", "owner", owner.replacingOccurrences(of: "\u{0}", with: "|")]
        }

        private struct Result {
            var status: Int32
            var output: Data
            var errors: Data
        }

        private func failure(_ result: Result) -> FileError {
            let text = String(decoding: result.errors, as: UTF8.self)
            return FileError(.other, path: program.path, reason: text.isEmpty ? "status \(result.status)" : text)
        }

        private func run(_ arguments: [String], input: Data?) throws -> Result {
            let process = Process()
            let (input, output, errors) = (input, Pipe(), Pipe())
            let entry = Pipe()
            process.executableURL = program
            process.arguments = arguments
            process.standardInput = entry
            process.standardOutput = output
            process.standardError = errors
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            // Before the program starts: the texts are shorter than a pipe's buffer, and no reader can be gone yet.
            if let input { try entry.fileHandleForWriting.write(contentsOf: input) }
            try entry.fileHandleForWriting.close()
            try process.run()
            guard ended.wait(timeout: .now() + Self.timeout) == .success else {
                process.terminate()
                throw FileError(.other, path: program.path, reason: "no answer within \(Int(Self.timeout)) seconds")
            }
            return Result(
                status: process.terminationStatus, output: output.fileHandleForReading.readDataToEndOfFile(),
                errors: errors.fileHandleForReading.readDataToEndOfFile())
        }
    }
#endif
