import Foundation
import StoreKit
import StoreKitTest
import Testing

/// The app as processes on one machine, which share their customer's credits.
struct ProcessTests {
    private static let hundred = "com.example.monkey.credits.100"

    private let session: SKTestSession
    private let folder: URL

    init() throws {
        session = try SKTestSession(configurationFileNamed: "MonkeyCredits")
        session.disableDialogs = true
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("monkey-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Starts the app with a command line.
    private func start(_ arguments: String...) async throws -> (process: Process, output: Pipe) {
        let root = folder.appendingPathComponent("root.cer")
        try session.rootCertificate.write(to: root)
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("monkey")
        process.arguments = arguments
        process.environment = [
            "PERENNIAL_STORE_URL": try await session.startServer().absoluteString,
            "PERENNIAL_BUNDLE_ID": session.bundleIdentifier, "PERENNIAL_ACCOUNT": session.connection.account,
            "PERENNIAL_STOREKIT_FOLDER": folder.path, "PERENNIAL_ROOT_CERTIFICATE": root.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    private func text(of output: Pipe) -> String {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test func `processes that buy at once, and are killed, credit each purchase once`() async throws {
        for round in 0..<6 {
            let known = session.allTransactions().count
            let (first, second) = (try await start("buy", Self.hundred), try await start("buy", Self.hundred))
            if !round.isMultiple(of: 3) {
                // After the first sale: its credits may not be written yet.
                while session.allTransactions().count == known, first.process.isRunning { await Task.yield() }
                kill(first.process.processIdentifier, SIGKILL)
            }
            let outputs = [text(of: first.output), text(of: second.output)]
            first.process.waitUntilExit()
            second.process.waitUntilExit()
            #expect(second.process.terminationStatus == 0, "round \(round): \(outputs)")
        }
        let sold = session.allTransactions().count
        #expect(sold >= 8)
        let last = try await start("balance")
        #expect(text(of: last.output) == "\(sold * 100) credits\n")
        last.process.waitUntilExit()
        try FileManager.default.removeItem(at: folder)
    }
}
