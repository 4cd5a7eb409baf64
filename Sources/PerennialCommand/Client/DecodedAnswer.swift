import AppStoreFormats
import Foundation

/// The signed data and receipts of a store's answer with their contents, which `--json` and `--decoded` add.
///
/// They come straight from the store that was asked, so they aren't verified: perennial inspect does that.
enum DecodedAnswer {
    private static let receipts: Set<String> = ["appReceipt", "transactionReceipt", "latest_receipt"]
    private static let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]

    /// Returns the answer with a member `decoded` beside signed data and receipts; the answer itself if it has none.
    static func adding(to json: [UInt8]) -> [UInt8] {
        guard let answer = try? JSONSerialization.jsonObject(with: Data(json)),
            let data = try? JSONSerialization.data(withJSONObject: expanded(answer), options: options)
        else { return json }
        return Array(data)
    }

    /// Returns the contents of an answer's signed data and receipts, as indented JSON; `nil` if it has none.
    static func text(of json: [UInt8]) -> String? {
        guard let answer = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else { return nil }
        let found = contents(in: answer)
        guard !found.isEmpty,
            let data = try? JSONSerialization.data(withJSONObject: found, options: options.union(.prettyPrinted))
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    private static func expanded(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(expanded) }
        guard let object = value as? [String: Any] else { return value }
        let found = contents(in: object)
        var expanded = object.mapValues(Self.expanded)
        if !found.isEmpty { expanded["decoded"] = found }
        return expanded
    }

    /// Decodes the members of an object that hold signed data or a receipt.
    private static func contents(in object: [String: Any]) -> [String: Any] {
        var found: [String: Any] = [:]
        for (name, value) in object where name.hasPrefix("signed") || receipts.contains(name) {
            if let text = value as? String {
                add(inspection(of: text), as: name, to: &found)
            } else if let list = value as? [Any] {
                let decoded = list.compactMap { $0 as? String }.map(contents(of:))
                if decoded.contains(where: { !$0.isEmpty }) { found[name] = decoded }
            }
        }
        return found
    }

    private static func inspection(of text: String) -> Inspection {
        Inspector(InspectionContext(now: 0)).inspect(Array(text.utf8))
    }

    /// Decodes an element of an array; those of signed data inside have their names.
    ///
    /// - Returns: An object without members if it holds nothing.
    private static func contents(of element: String) -> [String: Any] {
        var found: [String: Any] = [:]
        add(inspection(of: element), as: elementName, to: &found)
        guard let own = found.removeValue(forKey: elementName) as? [String: Any] else { return found }
        let inner = found.map { (String($0.key.dropFirst(elementName.count + 1)), $0.value) }
        return own.merging(inner) { own, _ in own }
    }

    private static let elementName = "element"

    /// Adds decoded contents under a name, and those of signed data inside under theirs.
    private static func add(_ inspection: Inspection, as name: String, to found: inout [String: Any]) {
        let json = try? JSONSerialization.jsonObject(with: Data(inspection.json.utf8))
        let contents = json ?? object(of: inspection.fields)
        if let members = contents as? [String: Any], members.isEmpty { return }
        found[name] = contents
        for part in inspection.parts { add(part.inspection, as: "\(name).\(part.name)", to: &found) }
    }

    /// Returns fields as an object; several of one name are an array.
    private static func object(of fields: [Inspection.Field]) -> [String: Any] {
        let named = Dictionary(grouping: fields, by: \.name).mapValues { fields in
            fields.map { $0.fields.isEmpty ? $0.value as Any : object(of: $0.fields) as Any }
        }
        return named.mapValues { $0.count == 1 ? $0[0] : $0 as Any }
    }
}
