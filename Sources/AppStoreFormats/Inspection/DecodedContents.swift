import Foundation

/// The contents of the signed data and receipts in a store's answer, under the names of the members that hold the bytes.
///
/// They come straight from the store that was asked, so they aren't verified: an ``Inspector`` does that.
package enum DecodedContents {
    private static let receipts: Set<String> = ["appReceipt", "transactionReceipt", "latest_receipt"]
    private static let elementName = "element"

    /// Returns true for the name of a member that may hold signed data or a receipt.
    package static func mayDecode(_ name: String) -> Bool { name.hasPrefix("signed") || receipts.contains(name) }

    /// Decodes the members of an object, texts or arrays of texts, that hold signed data or a receipt.
    ///
    /// Signed data inside of other signed data is beside it, under both names: `signedPayload.data.signedTransactionInfo`.
    package static func decoded(_ members: [String: StoreKitJSON]) -> StoreKitJSON.Object {
        var found = StoreKitJSON.Object()
        for (name, value) in members where mayDecode(name) {
            switch value {
            case .string(let text): add(inspection(of: text), as: name, to: &found)
            case .array(let elements):
                let decoded = elements.map(contents(of:))
                if decoded.contains(where: { !$0.members.isEmpty }) {
                    found[name] = .array(decoded.map { .object($0) })
                }
            default: break
            }
        }
        return found
    }

    private static func inspection(of text: String) -> Inspection {
        var context = InspectionContext(now: 0)
        context.onlyDecodes = true
        return Inspector(context).inspect(Array(text.utf8))
    }

    /// Decodes an element of an array; the signed data inside has its own name.
    ///
    /// - Returns: An object without members if it holds nothing.
    private static func contents(of element: StoreKitJSON) -> StoreKitJSON.Object {
        var found = StoreKitJSON.Object()
        if case .string(let text) = element { add(inspection(of: text), as: elementName, to: &found) }
        guard case .object(let own) = found[elementName] else { return found }
        let inner = found.members.filter { $0.key != elementName }.map {
            StoreKitJSON.Object.Member(String($0.key.dropFirst(elementName.count + 1)), $0.value)
        }
        return StoreKitJSON.Object(own.members + inner)
    }

    /// Adds decoded contents under a name, and those of signed data inside under theirs.
    private static func add(_ inspection: Inspection, as name: String, to found: inout StoreKitJSON.Object) {
        let json = inspection.json.isEmpty ? nil : try? StoreKitJSONParser.value(of: Array(inspection.json.utf8))
        let contents = json ?? .object(object(of: inspection.fields))
        if case .object(let object) = contents, object.members.isEmpty { return }
        found[name] = contents
        for part in inspection.parts { add(part.inspection, as: "\(name).\(part.name)", to: &found) }
    }

    /// Returns fields as an object; several of one name are an array.
    private static func object(of fields: [Inspection.Field]) -> StoreKitJSON.Object {
        let named = Dictionary(grouping: fields, by: \.name).mapValues { fields in
            fields.map { $0.fields.isEmpty ? StoreKitJSON.string($0.value) : .object(object(of: $0.fields)) }
        }
        return StoreKitJSON.Object(named.map { .init($0.key, $0.value.count == 1 ? $0.value[0] : .array($0.value)) })
    }
}
