import BaseEncoding
import Foundation
import Perennial

/// Recognises, decodes and verifies what people paste: receipts, signed data, tokens, certificates, keys, files, IDs.
///
/// Any bytes get an answer, in time and memory proportional to their number. Private keys and secrets are never echoed.
package struct Inspector: Sendable {
    /// The most bytes that are read.
    package static let maximumSize = 10 * 1_048_576
    /// The most fields of all decoded contents together.
    package static let maximumFields = 1_000
    /// The most pieces of signed data inside of others.
    package static let maximumParts = 100
    /// The most layers of encodings and of data in data.
    static let maximumDepth = 8

    private let context: InspectionContext

    package init(_ context: InspectionContext) { self.context = context }

    package func inspect(_ bytes: [UInt8]) -> Inspection {
        guard bytes.count <= Self.maximumSize else {
            var inspection = Inspection(.unknown)
            inspection.fail(.structure, .init(.tooLarge, "\(bytes.count)", "\(Self.maximumSize)"))
            return inspection
        }
        var run = InspectionRun(context: context)
        return run.inspect(bytes, Layers())
    }
}

/// The layers around pasted data.
struct Layers {
    /// Layers that are usual, such as quotation marks.
    var removed: [InspectionFinding] = []
    /// A fault of the encoding.
    var problem: InspectionFinding?
    /// The times that base64 was decoded.
    var base64Count = 0

    func adding(_ finding: InspectionFinding) -> Layers {
        var layers = self
        layers.removed.append(finding)
        return layers
    }
}

/// One inspection: it counts what it has decoded.
struct InspectionRun {
    let context: InspectionContext
    var fieldsLeft = Inspector.maximumFields
    var partsLeft = Inspector.maximumParts
    private var depth = 0
    /// The checked chains by their `x5c`: the pieces of signed data in an answer have the same.
    private var chains: [[String]: InspectedChain] = [:]
    /// The verifier of signed data that the store uses, with its cache; `nil` if no root is known.
    let verifier: JWSVerifier?

    init(context: InspectionContext) {
        self.context = context
        let roots = context.roots.filter { $0.purpose != .receipts }.map(\.certificate)
        verifier = roots.isEmpty ? nil : try? JWSVerifier(trustedRoots: roots)
    }

    /// Checks the chain of signed data, as far as it doesn't depend on the date of signing.
    mutating func chain(ofTexts texts: [String]) -> InspectedChain {
        if let known = chains[texts] { return known }
        let encodings = texts.map { PastedText.lenient($0)?.bytes ?? [] }
        let chain = chain(of: encodings, isOrdered: true, purpose: .signedData)
        chains[texts] = chain
        return chain
    }

    /// Inspects bytes as they were pasted, or as a layer around them left them.
    mutating func inspect(_ bytes: [UInt8], _ layers: Layers) -> Inspection {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Inspector.maximumDepth else { return Self.unknown(bytes, layers) }
        guard !bytes.isEmpty else {
            var inspection = Inspection(.unknown)
            inspection.fail(.structure, .init(.empty))
            return inspection
        }
        if let report = inspectReport(bytes) { return report }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return inspect(Array(bytes.dropFirst(3)), layers.adding(.init(.markRemoved)))
        }
        if bytes.starts(with: "bplist".utf8) { return Self.binaryPropertyList(layers) }
        guard !Self.isBinary(bytes), let text = String(validating: bytes, as: UTF8.self) else {
            return inspectBinary(bytes, layers) ?? Self.unknown(bytes, layers)
        }
        return inspect(text: text.trimmingCharacters(in: .whitespacesAndNewlines), layers)
    }

    private mutating func inspect(text: String, _ layers: Layers) -> Inspection {
        if text.isEmpty { return inspect([], layers) }
        if let command = CurlCommand(text) { return inspect(command, layers) }
        // Before anything that shows what it reads: it may be a private key.
        if text.contains("-----BEGIN ") { return inspectPEM(text, layers) }
        if text.hasPrefix("{") || text.hasPrefix("[") { return inspectStructured(text, layers) }
        if XMLPropertyList.begins(text) { return inspectPropertyList(text, layers) }
        if text.hasPrefix("\""), let quoted = inspectQuoted(text, layers) { return quoted }
        if let (inner, finding) = PastedText.unwrapped(text) {
            return inspect(Array(inner.utf8), layers.adding(finding))
        }
        if let inspection = inspectID(text) { return inspection.wrapped(layers) }
        let compact = String(text.unicodeScalars.filter { !$0.properties.isWhitespace })
        let isBroken = compact.utf8.count != text.utf8.count
        if PastedText.isCompactJWS(compact) {
            let inner = isBroken ? layers.adding(.init(.lineBreaksRemoved)) : layers
            return inspectCompact(compact, inner)
        }
        if let decoded = PastedText.base64(text, compact) {
            var inner = isBroken ? layers.adding(.init(.lineBreaksInside)) : layers
            inner = inner.adding(.init(.base64Decoded))
            inner.base64Count += 1
            inner.problem =
                layers.problem ?? (inner.base64Count > 1 ? .init(.encodedTwice) : nil) ?? decoded.problem
            return inspect(decoded.bytes, inner)
        }
        if let decoded = PastedText.hexadecimal(compact) {
            return inspect(decoded, layers.adding(.init(.hexadecimalDecoded)))
        }
        return Self.unknown(Array(text.utf8), layers)
    }

    /// Text in braces: JSON, or the property list of an old receipt.
    private mutating func inspectStructured(_ text: String, _ layers: Layers) -> Inspection {
        let bytes = Array(text.utf8)
        if let json = inspectJSON(bytes, layers) { return json }
        // JSON as it stands in a string of JSON, in a log or in source code: with a backslash before each quotation mark.
        var (inner, wrapped) = (text, layers)
        while wrapped.removed.count < Inspector.maximumDepth, let next = PastedText.withoutEscapes(inner) {
            (inner, wrapped) = (next, wrapped.adding(.init(.escapesReplaced)))
            if let json = inspectJSON(Array(inner.utf8), wrapped) { return json }
        }
        if text.contains("purchase-info") { return inspectTransactionReceipt(bytes, layers) }
        var inspection = Inspection(.json)
        do {
            _ = try StoreKitJSONParser.value(of: bytes)
        } catch {
            inspection.fail(.structure, .init(.malformed, Self.brief(error)))
        }
        return inspection.wrapped(layers)
    }

    /// True for bytes that no text has.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(256).contains { $0 < 9 || (14..<32).contains($0) }
            || bytes.first == DERTag.sequence.rawValue && (bytes.dropFirst().first ?? 0) >= 0x80
    }

    /// The bytes that can't be recognised, in short: of text the first characters, else hexadecimal digits.
    static func unknown(_ bytes: [UInt8], _ layers: Layers) -> Inspection {
        var inspection = Inspection(.unknown)
        let start = bytes.prefix(16)
        let isText = start.allSatisfy { (32..<127).contains($0) }
        let shown = isText ? String(decoding: start.prefix(8), as: UTF8.self) + "…" : Hexadecimal.encode(start)
        inspection.fail(.structure, .init(.unknownInput, shown))
        return inspection.wrapped(layers)
    }
}

extension Inspection {
    mutating func pass(_ name: Check.Name, _ finding: InspectionFinding) {
        checks.append(Check(name, .passed, finding))
    }

    mutating func fail(_ name: Check.Name, _ finding: InspectionFinding, bytes: some Sequence<UInt8> = []) {
        checks.append(Check(name, .failed, finding, bytes: Hexadecimal.encode(Array(bytes.prefix(1024)))))
    }

    mutating func skip(_ name: Check.Name, _ finding: InspectionFinding) {
        checks.append(Check(name, .skipped, finding))
    }

    /// Adds the layers that were taken off, and what was wrong with them.
    func wrapped(_ layers: Layers) -> Inspection {
        var inspection = self
        inspection.layers = layers.removed + inspection.layers
        if let problem = layers.problem, inspection[.encoding] == nil {
            inspection.checks.insert(Check(.encoding, .failed, problem), at: 0)
        }
        return inspection
    }
}
