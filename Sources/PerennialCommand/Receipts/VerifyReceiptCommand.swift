import AppStoreFormats
import ArgumentParser
import BaseEncoding
import Foundation
import PerennialDelivery

/// `perennial receipts verify FILE`: asks verifyReceipt about a receipt.
struct VerifyReceiptCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "verify", "Ask verifyReceipt about a receipt, and show the answer.",
        """
        Production is asked first, and Sandbox if Production says so (21007), as sellers' servers do. The receipt is a file in
        DER or base64, of the new form or the old; - reads standard input. Receipts with subscriptions need the app's shared
        secret: --shared-secret, PERENNIAL_SHARED_SECRET, or that of the store's ready file. The exit code is 0 for an
        authentic receipt, even if its subscription has expired (21006), and 1 for any other verdict.
        """,
        examples: [
            "receipts verify receipt.der", "receipts verify receipt.der --ready-file ready.json",
            "receipts show --account ann@example.com | perennial receipts verify -",
        ])

    static let secretVariable = "PERENNIAL_SHARED_SECRET"

    @Argument(help: "The receipt, or - for standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Ask only this environment.", valueName: "name"))
    var environment: EnvironmentName?

    @Option(help: ArgumentHelp("The app's shared secret: 32 hexadecimal digits.", valueName: "secret"))
    var sharedSecret: String?

    @Flag(help: "List of each subscription only the newest transaction.")
    var excludeOldTransactions = false

    @OptionGroup var store: ServerOptions

    func report(from client: StoreClient) async throws -> Report {
        let receipt = try ReceiptInput(path: file).text
        var answer = try await ask(client, receipt, password: nil)
        for password in try secrets() where answer.value.status == .wrongSharedSecret {
            answer = try await ask(client, receipt, password: password)
        }
        let verdict = VerificationReport(answer.value, answer.json)
        return Report(words: verdict.text, json: answer.json, succeeded: verdict.isAuthentic)
    }

    private func secrets() throws -> [String] {
        if let secret = sharedSecret ?? ProcessInfo.processInfo.environment[Self.secretVariable] { return [secret] }
        return try store.ready()?.apps.map(\.sharedSecret) ?? []
    }

    private func ask(
        _ client: StoreClient, _ receipt: String, password: String?
    ) async throws -> StoreAnswer<VerificationReport.Answer> {
        let body = Body(receipt: receipt, password: password, excludesOldTransactions: excludeOldTransactions)
        let first = environment ?? .production
        let answer: StoreAnswer<VerificationReport.Answer> = try await client.at(first).post("verifyReceipt", body)
        guard environment == nil, answer.value.status == .sandboxReceipt else { return answer }
        return try await client.at(.sandbox).post("verifyReceipt", body)
    }

    private struct Body: Encodable {
        let receipt: String
        let password: String?
        let excludesOldTransactions: Bool

        enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
            case excludesOldTransactions = "exclude-old-transactions"
        }
    }
}

/// A receipt in a file: in DER, as an old property list, or as the base64 of either.
struct ReceiptInput {
    /// The receipt in base64, as verifyReceipt takes it.
    let text: String

    /// - Parameter path: `-` for standard input.
    /// - Throws: ``CommandError`` if the file can't be read, or is longer than any receipt.
    init(path: String) throws { self.init(try Self.read(path)) }

    /// Reads a file that may hold a receipt or signed data.
    ///
    /// - Parameter path: `-` for standard input.
    /// - Throws: ``CommandError`` if the file can't be read, or is longer than any receipt.
    static func read(_ path: String) throws -> Data {
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        // Base64 is longer by a third, and has line breaks.
        let limit = VerifyReceiptRequest.maximumSize * 3 / 2
        guard let bytes = try? handle?.readUpTo(limit), !bytes.isEmpty else {
            throw CommandError("\(path) can't be read, or is empty: a receipt is expected")
        }
        guard bytes.count < limit else { throw CommandError("\(path) is longer than any receipt") }
        return bytes
    }

    init(_ bytes: Data) {
        let text = String(decoding: bytes.filter { !($0 == 0x20 || (0x09...0x0D).contains($0)) }, as: UTF8.self)
        self.text = Base64.decode(text) == nil ? bytes.base64EncodedString() : text
    }
}

extension FileHandle {
    /// Reads to the end, or up to a limit.
    func readUpTo(_ limit: Int) throws -> Data {
        var bytes = Data()
        while bytes.count < limit, let more = try read(upToCount: limit - bytes.count), !more.isEmpty {
            bytes += more
        }
        return bytes
    }
}
