import AppStoreFormats
import Foundation

/// The signed data and receipts of a store's answer with their contents, which `--json` and `--decoded` add.
///
/// They come straight from the store that was asked, so they aren't verified: perennial inspect does that.
enum DecodedAnswer {
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

    /// Returns the answer without the contents that the store put beside signed data and receipts.
    static func removing(from json: [UInt8]) -> [UInt8] {
        guard String(decoding: json, as: UTF8.self).contains("\"decoded\""),
            let answer = try? JSONSerialization.jsonObject(with: Data(json)),
            let data = try? JSONSerialization.data(withJSONObject: reduced(answer), options: options)
        else { return json }
        return Array(data)
    }

    private static func reduced(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(reduced) }
        guard var object = value as? [String: Any] else { return value }
        if object.keys.contains(where: DecodedContents.mayDecode) { object["decoded"] = nil }
        return object.mapValues(reduced)
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
        let members = object.compactMapValues { value -> StoreKitJSON? in
            if let text = value as? String { return .string(text) }
            return (value as? [Any]).map { .array($0.compactMap { $0 as? String }.map { .string($0) }) }
        }
        let json = Data(DecodedContents.decoded(members).description.utf8)
        return (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
    }
}
