import Foundation
import HTTPTypes
import TestSupport

/// A request that is answered well, with names for what can be replaced in it.
struct SampleRequest: Sendable {
    var method: HTTPRequest.Method
    /// The path with parameters in braces: `control/v1/transactions/{id}/refund`.
    var path: String
    var parameters: [String: String] = [:]
    var query: [String: String] = [:]
    var headers: [HTTPField.Name: String] = [:]
    var body: JSONValue?
    /// Independent of the fields.
    var bearer: String?

    /// A request like the sample but for one extreme value.
    struct Variant: Sendable {
        /// The value and its place.
        let words: String
        /// True for a number in the place of a number.
        let isNumber: Bool
        let method: HTTPRequest.Method
        let uri: String
        let headers: HTTPFields
        let body: [UInt8]
    }

    /// True if an answer accepts the form of a sample: it was done, or there is nothing now that it could be done
    /// to.
    static func isWellFormed(_ status: Int) -> Bool { status < 500 && ![400, 401, 405, 413, 422].contains(status) }

    func asItIs() throws -> Variant {
        variant("as it is", body: try body?.text())
    }

    func variants() throws -> [Variant] {
        let body = try body?.text()
        func texts(_ make: (String) -> Variant) -> [Variant] { ExtremeValues.texts.map(make) }
        let paths = parameters.keys.sorted().flatMap { name in
            texts { variant("{\(name)}: \($0)", parameters: [name: $0], body: body) }
        }
        let queries = query.keys.sorted().flatMap { name in
            texts { variant("?\(name): \($0)", query: [name: $0], body: body) }
        }
        let heads = headers.keys.sorted { $0.rawName < $1.rawName }.flatMap { name in
            (ExtremeValues.texts + Self.headerTexts).map { variant("\(name): \($0)", headers: [name: $0], body: body) }
        }
        let bodies = try self.body?.extremes.map { variant($0.words, isNumber: $0.isNumber, body: $0.text) }
        return paths + queries + heads + (bodies ?? [])
    }

    /// Ranges, validators and dates of headers.
    private static let headerTexts = [
        "bytes=0-18446744073709551615", "bytes=9223372036854775807-", "bytes=-9223372036854775808",
        "bytes=-9223372036854775807", "bytes=9223372036854775806-9223372036854775807", "bytes=0-0,-1", "bytes=-0",
        "W/\"9223372036854775808\"", "*", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
    ]

    private func variant(
        _ words: String, isNumber: Bool = false, parameters: [String: String] = [:], query: [String: String] = [:],
        headers: [HTTPField.Name: String] = [:], body: String?
    ) -> Variant {
        var path = path
        for (name, value) in self.parameters.merging(parameters, uniquingKeysWith: { $1 }) {
            path = path.replacing("{\(name)}", with: Self.escaped(value))
        }
        let pairs = self.query.merging(query) { $1 }.sorted { $0.key < $1.key }
        let tail = pairs.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
        var fields = HTTPFields()
        for (name, value) in self.headers.merging(headers, uniquingKeysWith: { $1 }) { fields[name] = value }
        if let bearer { fields[.authorization] = "Bearer \(bearer)" }
        return Variant(
            words: words, isNumber: isNumber, method: method, uri: tail.isEmpty ? path : "\(path)?\(tail)",
            headers: fields, body: Array((body ?? "").utf8))
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? ""
    }
}
