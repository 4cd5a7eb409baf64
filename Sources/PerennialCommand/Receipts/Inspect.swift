import AppStoreFormats
import ArgumentParser
import BaseEncoding
import Foundation
import Perennial

/// `perennial inspect FILE`: decodes receipts, signed data and report files.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "inspect", "Show the contents of a receipt, of signed data or of a report file.",
        """
        Reads an app receipt (DER or base64), a JWS such as a signed transaction, the body of a server notification, or \
        a file of Sales and Trends (text or gzip), Apple's own too; - reads standard input. Prints its contents as JSON, and checks the signature against the root certificates of \
        --root-certificate, of --ready-file, or of the store that runs here. The exit code is 1 for a wrong signature.
        """,
        examples: [
            "inspect receipt.der", "receipts show --account ann@example.com | perennial inspect -",
            "inspect receipt.der --json", "report sales --format tsv | perennial inspect -",
        ])

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String

    @Option(
        name: .customLong("root-certificate"), parsing: .singleValue,
        help: ArgumentHelp("A root certificate to trust, in DER; may be repeated.", valueName: "file"),
        completion: .file(extensions: ["cer"]))
    var roots: [String] = []

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("The ready file of the store whose root certificates are trusted.", valueName: "file"),
        completion: .file())
    var readyFile: String?

    @Flag(help: "Print one JSON object: kind, signature, contents.")
    var json = false

    func run() async throws {
        let inspection = try inspection(of: try ReceiptFile.read(file))
        Terminal.out(json ? try inspection.json() : try inspection.text())
        if case .invalid = inspection.signature { throw ExitCode.failure }
    }

    /// - Throws: ``CommandError`` if the data has no known format.
    func inspection(of bytes: Data) throws -> Inspection {
        try Inspection(bytes, roots: try trustedRoots(), name: file)
    }

    private func trustedRoots() throws -> [[UInt8]] {
        var paths = roots
        if paths.isEmpty {
            let store = try readyFile.map(ReadyStore.init(file:)) ?? (try? ReadyStore(file: ReadyStore.file()))
            paths = [store?.rootCertificate, store?.receiptRootCertificate].compactMap { $0 }
        }
        return try paths.map { path in
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw CommandError("the root certificate \(path) can't be read")
            }
            return Array(bytes)
        }
    }
}

/// The decoded contents of a receipt or of signed data.
struct Inspection {
    enum Kind: String, Codable {
        case appReceipt, transactionReceipt, signedData, notification, notificationV1, report
    }

    enum Signature: Equatable {
        case valid
        /// The reason.
        case invalid(String)
        /// No root certificate is known.
        case unchecked
        /// The format has none.
        case none

        var words: String {
            switch self {
            case .valid: "valid"
            case .invalid(let reason): "not valid: \(reason)"
            case .unchecked: "not checked, no root certificate is known"
            case .none: "none"
            }
        }
    }

    let kind: Kind
    let signature: Signature
    /// A value of `JSONSerialization`.
    private let contents: Any

    /// - Throws: ``CommandError`` if the data has no known format.
    init(_ bytes: Data, roots: [[UInt8]], name: String) throws {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if let report = try Self.report(bytes, name) {
            (kind, signature, contents) = (.report, .none, report)
        } else if text.hasPrefix("{"),
            let body = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        {
            if let payload = body["signedPayload"] as? String {
                (signature, contents) = try Self.signed(payload, roots, name)
                kind = .notification
            } else {
                (kind, signature, contents) = (.notificationV1, .none, body)
            }
        } else if text.utf8.first == UInt8(ascii: "e"),
            text.split(separator: ".", omittingEmptySubsequences: false).count == 3
        {
            (signature, contents) = try Self.signed(text, roots, name)
            kind = .signedData
        } else {
            let der = Base64.decode(text.filter { !$0.isWhitespace }).map { Data($0) } ?? bytes
            (kind, signature, contents) = try Self.receipt(Array(der), roots, name)
        }
    }

    /// Reads a report file: gzip, or text with tabs in its first line.
    ///
    /// - Returns: `nil` for other data.
    private static func report(_ bytes: Data, _ name: String) throws -> [String: Any]? {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let isText = line.contains(UInt8(ascii: "\t")) && line.allSatisfy { $0 >= 32 || $0 == 9 || $0 == 13 }
        guard isText || bytes.starts(with: [0x1F, 0x8B]) else { return nil }
        do {
            let table = try ReportTable(Array(bytes))
            let layout = ReportLayout.layout(of: table)
            return [
                "report": layout?.report.rawValue ?? "unknown", "version": layout?.version ?? "unknown",
                "rows": table.rows.map { row in Dictionary(zip(table.headers, row.cells)) { first, _ in first } },
            ]
        } catch let error as ReportTableError {
            throw CommandError("\(name) is no report file: \(error)")
        }
    }

    private static func signed(_ jws: String, _ roots: [[UInt8]], _ name: String) throws -> (Signature, Any) {
        guard jws.utf8.count <= JWSVerifier.maximumSize, let contents = decoded(jws) else {
            throw CommandError("\(name) is no signed data: a JWS has three parts in base64url")
        }
        let signature = check(roots) { _ = try JWSVerifier(trustedRoots: roots).verify(jws) }
        return (signature, contents)
    }

    /// Decodes the payload of a JWS, and the signed data inside of it.
    private static func decoded(_ jws: String) -> Any? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decode(String(parts[1]), as: .url),
            let object = try? JSONSerialization.jsonObject(with: Data(payload))
        else { return nil }
        return expanded(object)
    }

    /// Replaces signed data in the members called `signed…Info` by its payload.
    private static func expanded(_ value: Any) -> Any {
        guard let object = value as? [String: Any] else { return value }
        return Dictionary(
            uniqueKeysWithValues: object.map { key, value in
                if key.hasPrefix("signed"), let jws = value as? String { return (key, decoded(jws) ?? value) }
                return (key, expanded(value))
            })
    }

    private static func receipt(
        _ der: [UInt8], _ roots: [[UInt8]], _ name: String
    ) throws -> (Kind, Signature, Any) {
        if let receipt = VerifyReceiptRequest.Receipt.appReceipt(der) {
            let signature = check(roots) { _ = try ReceiptVerifier(trustedRoots: roots).verify(der) }
            return (.appReceipt, signature, contents(of: receipt))
        }
        guard let receipt = VerifyReceiptRequest.Receipt.transactionReceipt(der) else {
            throw CommandError("\(name) is neither a receipt nor signed data")
        }
        let signature = check(roots) { _ = try TransactionReceiptVerifier(trustedRoots: roots).verify(der) }
        return (.transactionReceipt, signature, contents(of: receipt))
    }

    private static func check(_ roots: [[UInt8]], _ verify: () throws -> Void) -> Signature {
        guard !roots.isEmpty else { return .unchecked }
        do {
            try verify()
            return .valid
        } catch {
            return .invalid("\(error)")
        }
    }

    private static func contents(of receipt: TransactionReceipt) -> [String: Any] {
        var contents: [String: Any] = [
            "bundleId": receipt.bundleID, "applicationVersion": receipt.applicationVersion,
            "productId": receipt.productID, "transactionId": receipt.transactionID,
            "originalTransactionId": receipt.originalTransactionID, "quantity": receipt.quantity,
            "purchaseDate": receipt.purchaseDate.rfc3339, "originalPurchaseDate": receipt.originalPurchaseDate.rfc3339,
        ]
        contents["expiresDate"] = receipt.expiresDate?.rfc3339
        return contents
    }

    private static func contents(of receipt: AppReceipt) -> [String: Any] {
        var contents: [String: Any] = [
            "receiptType": receipt.receiptType.rawValue, "bundleId": receipt.bundleID,
            "applicationVersion": receipt.applicationVersion, "creationDate": receipt.creationDate.rfc3339,
            "originalPurchaseDate": receipt.originalPurchaseDate.rfc3339,
            "originalApplicationVersion": receipt.originalApplicationVersion,
            "purchases": receipt.purchases.map(contents(of:)),
        ]
        contents["expirationDate"] = receipt.expirationDate?.rfc3339
        return contents
    }

    private static func contents(of purchase: AppReceipt.Purchase) -> [String: Any] {
        var contents: [String: Any] = [
            "productId": purchase.productID, "transactionId": purchase.transactionID,
            "originalTransactionId": purchase.originalTransactionID, "quantity": purchase.quantity,
            "purchaseDate": purchase.purchaseDate.rfc3339,
            "originalPurchaseDate": purchase.originalPurchaseDate.rfc3339,
        ]
        contents["expiresDate"] = purchase.expiresDate?.rfc3339
        contents["cancellationDate"] = purchase.cancellationDate?.rfc3339
        contents["webOrderLineItemId"] = purchase.webOrderLineItemID.map { "\($0)" }
        contents["promotionalOfferId"] = purchase.promotionalOfferID
        return contents
    }

    private static let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]

    /// The contents below a line with the kind and the signature.
    func text() throws -> String {
        let data = try JSONSerialization.data(withJSONObject: contents, options: Self.options.union(.prettyPrinted))
        return "\(kind.rawValue), signature \(signature.words)\n" + String(decoding: data, as: UTF8.self)
    }

    func json() throws -> String {
        var object: [String: Any] = ["kind": kind.rawValue, "contents": contents]
        switch signature {
        case .valid: object["signature"] = "valid"
        case .invalid(let reason):
            object["signature"] = "invalid"
            object["reason"] = reason
        case .unchecked: object["signature"] = "unchecked"
        case .none: object["signature"] = "none"
        }
        return String(
            decoding: try JSONSerialization.data(withJSONObject: object, options: Self.options), as: UTF8.self)
    }
}
