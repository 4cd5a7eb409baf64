import BaseEncoding
import Foundation

/// Text around data: commands of curl, property lists, pieces of JSON.
extension InspectionRun {
    /// A command of curl: its body and its token are parts.
    mutating func inspect(_ command: CurlCommand, _ layers: Layers) -> Inspection {
        var inspection = Inspection(.curlCommand)
        // A query may have secrets.
        let url = String(command.url.prefix { $0 != "?" }.prefix(500))
        inspection.pass(.structure, .init(.structureCurl, command.sentMethod, url.isEmpty ? "–" : url))
        inspection.references = url.split(separator: "/").filter { part in
            part.utf8.count > 9 && part.utf8.allSatisfy { (48...57).contains($0) }
        }.map { InspectionReference(.transaction, String($0.prefix(40))) }
        for token in command.tokens { addPart("Authorization", Array(token.utf8), to: &inspection) }
        if let body = command.body { addPart("body", Array(body.utf8), to: &inspection) }
        for file in command.files { inspection.fail(.contents, .init(.curlFile, file)) }
        if inspection.parts.isEmpty, command.files.isEmpty { inspection.skip(.contents, .init(.curlEmpty)) }
        return inspection.wrapped(layers)
    }

    private mutating func addPart(_ name: String, _ bytes: [UInt8], to inspection: inout Inspection) {
        guard partsLeft > 0 else { return }
        partsLeft -= 1
        let inner = inspect(bytes, Layers())
        inspection.parts.append(Inspection.Part(name: name, inspection: inner))
        inspection.references += inner.references.filter { !inspection.references.contains($0) }
    }

    /// A property list in XML: a receipt alone in it is what it is, anything else is read as JSON.
    mutating func inspectPropertyList(_ text: String, _ layers: Layers) -> Inspection {
        guard let value = XMLPropertyList.value(of: text) else {
            var inspection = Inspection(.propertyList)
            inspection.fail(.structure, .init(.malformed, "XML"))
            return inspection.wrapped(layers)
        }
        let inner = layers.adding(.init(.plistRead))
        if case .string(let text) = value { return inspect(Array(text.utf8), inner) }
        var inspection = inspect(value, inner)
        if inspection.kind == .json { inspection.kind = .propertyList }
        return inspection
    }

    /// A property list in its binary form, which isn't read.
    static func binaryPropertyList(_ layers: Layers) -> Inspection {
        var inspection = Inspection(.propertyList)
        inspection.fail(.structure, .init(.plistBinary))
        return inspection.wrapped(layers)
    }

    /// Texts in quotation marks: one, several with commas between them, or members of an object.
    ///
    /// - Returns: `nil` for text of another form.
    mutating func inspectQuoted(_ text: String, _ layers: Layers) -> Inspection? {
        var inner = Substring(text)
        while let last = inner.last, last == "," || last == ";" || last.isWhitespace { inner = inner.dropLast() }
        if case .array(let elements)? = try? StoreKitJSONParser.value(of: Array("[\(inner)]".utf8)) {
            guard elements.count == 1, case .string(let only) = elements[0] else {
                return elements.count > 1 ? inspect(.array(elements), layers) : nil
            }
            let removed = layers.adding(.init(.quotesRemoved))
            return inspect(Array(only.utf8), inner.contains("\\") ? removed.adding(.init(.escapesReplaced)) : removed)
        }
        guard case .object(let object)? = try? StoreKitJSONParser.value(of: Array("{\(inner)}".utf8)),
            object.members.count > 1
        else { return nil }
        return inspect(.object(object), layers)
    }

    // MARK: - Inside of JSON

    /// The fewest characters of base64 that may be a certificate or a receipt.
    private static let shortestEncoding = 200

    /// Returns the certificates of a list such as `x5c`; `nil` for a list of anything else.
    static func certificates(in elements: [StoreKitJSON]) -> [[UInt8]]? {
        guard (1...10).contains(elements.count) else { return nil }
        var encodings: [[UInt8]] = []
        for case .string(let text) in elements where isEncodedDER(text) {
            encodings.append(PastedText.lenient(text.filter { !$0.isWhitespace })?.bytes ?? [])
        }
        guard encodings.count == elements.count, encodings.contains(where: { ChainCertificate($0) != nil }) else {
            return nil
        }
        return encodings
    }

    /// Returns true for text in base64 that begins like a receipt or a certificate.
    private static func isEncodedDER(_ text: String) -> Bool {
        text.utf8.count >= shortestEncoding && text.utf8.prefix(2).elementsEqual("MI".utf8)
            && text.utf8.prefix(shortestEncoding).allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, 9, 10, 13: true
                default: "+/-_= ".utf8.contains(byte)
                }
            }
    }

    /// Inspects a member of JSON that may hold more than a value: a receipt, certificates, JSON again.
    ///
    /// - Returns: `nil` for a plain value.
    mutating func inspectMember(_ text: String) -> Inspection? {
        let isJSON = text.hasPrefix("{") && text.hasSuffix("}") && text.utf8.count > 20
        guard partsLeft > 0, isJSON || Self.isEncodedDER(text) else { return nil }
        partsLeft -= 1
        let inner = inspect(Array(text.utf8), Layers())
        let isPlain = inner.kind == .unknown || inner.kind == .json && inner.parts.isEmpty
        return isPlain ? nil : inner
    }
}
