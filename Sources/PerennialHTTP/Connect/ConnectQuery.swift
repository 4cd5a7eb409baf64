import AppStoreFormats
import BaseEncoding
import Foundation
import Hummingbird

/// The query of a request of the App Store Connect API: known parameters, each once, with several values joined by commas.
struct ConnectQuery: Sendable {
    static let maximumLimit = 200
    private static let usualLimit = 50
    static let maximumIncluded = 50
    /// The included resources of a relationship without a limit of its own.
    static let usualIncluded = 10

    /// The query of a request without parameters.
    static let none = ConnectQuery(given: [])

    /// The fields in the order of the request.
    private let given: [(name: String, value: String)]

    private init(given: [(name: String, value: String)]) { self.given = given }

    /// Reads the query.
    ///
    /// - Throws: ``ConnectFailure`` 400 for unknown parameters, for one that comes twice, and for values of the wrong form.
    init(_ request: Request, _ parameters: ConnectParameters) throws {
        guard let given = QueryText.parameters(request.uri.query ?? "") else {
            throw ConnectFailure(
                .badRequest, "PARAMETER_ERROR.INVALID", "A parameter has an invalid value",
                "The query has a broken percent-encoding")
        }
        self.given = given
        let unknown = given.map(\.name).filter { parameters.rules[$0] == nil }
        guard unknown.isEmpty else { throw ConnectFailure.illegalParameters(unknown) }
        var seen: Set<String> = []
        for (name, value) in given {
            guard seen.insert(name).inserted else {
                throw ConnectFailure.invalidParameter(
                    name, "The parameter '\(name)' is given more than once: join its values with commas")
            }
            if let rule = parameters.rules[name] { try Self.check(value, name, rule) }
        }
    }

    /// Checks that parameters are there.
    ///
    /// - Throws: ``ConnectFailure`` 400.
    func require(_ names: [String]) throws {
        for name in names where text(name) == nil { throw ConnectFailure.missingParameter(name) }
    }

    /// The text of a parameter; `nil` without one and for an empty one.
    func text(_ name: String) -> String? {
        given.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The values of a parameter; `nil` without one.
    func values(_ name: String) -> Set<String>? { list(name).map { Set($0) } }

    /// The values of a parameter in order; `nil` without one.
    func list(_ name: String) -> [String]? { text(name).map { $0.split(separator: ",").map(String.init) } }

    /// The values of all filters by their names.
    var filters: [String: Set<String>] {
        var filters: [String: Set<String>] = [:]
        for (name, _) in given where name.hasPrefix("filter[") && name.hasSuffix("]") {
            filters[String(name.dropFirst("filter[".count).dropLast())] = values(name)
        }
        return filters
    }

    /// The names of a type's members that the answer is limited to; `nil` for all.
    func fields(_ type: String) -> Set<String>? {
        // An empty list asks for no members.
        guard given.contains(where: { $0.name == "fields[\(type)]" }) else { return nil }
        return values("fields[\(type)]") ?? []
    }

    /// The names of members that the answer is limited to, by type.
    var allFields: [String: Set<String>] {
        var chosen: [String: Set<String>] = [:]
        for (name, _) in given where name.hasPrefix("fields[") {
            let type = String(name.dropFirst("fields[".count).dropLast())
            chosen[type] = fields(type)
        }
        return chosen
    }

    func includes(_ relationship: String) -> Bool { values("include")?.contains(relationship) ?? false }

    var limit: Int { text("limit").flatMap { Int($0) } ?? Self.usualLimit }
    var offset: Int { text("cursor").flatMap(ConnectCursor.offset) ?? 0 }

    /// The number of resources of an included relationship.
    func limit(of relationship: String) -> Int {
        text("limit[\(relationship)]").flatMap { Int($0) } ?? Self.usualIncluded
    }

    /// The order of a list: attributes, each with true for the descending order.
    var sorts: [(attribute: String, isDescending: Bool)] {
        (list("sort") ?? []).map { ($0.hasPrefix("-") ? String($0.dropFirst()) : $0, $0.hasPrefix("-")) }
    }

    /// The query of another page of the same list.
    func text(at offset: Int) -> String {
        var all = given.filter { $0.name != "cursor" && $0.name != "limit" }
        all.append((name: "limit", value: String(limit)))
        if offset > 0 { all.append((name: "cursor", value: ConnectCursor.text(offset))) }
        return all.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: ",")
    }

    private static func check(_ value: String, _ name: String, _ rule: ConnectParameters.Rule) throws {
        switch rule {
        case .values: break
        case .oneOf(let known):
            guard let wrong = wrong(value, known) else { return }
            throw ConnectFailure.invalidParameter(
                name,
                name.hasPrefix("fields[")
                    ? "'\(wrong)' is not a valid field name"
                    : "'\(wrong)' is not a valid filter value: it is one of \(known.joined(separator: ", "))")
        case .boolean:
            guard value != "true", value != "false" else { return }
            throw ConnectFailure.invalidParameter(name, "'\(value)' is neither true nor false")
        case .limit(let maximum):
            guard let number = Int(value), (1...maximum).contains(number) else {
                throw ConnectFailure.invalidParameter(
                    name, "'\(value)' is not a valid limit: the range is 1 to \(maximum)")
            }
        case .relationships(let known):
            guard let wrong = wrong(value, known) else { return }
            throw ConnectFailure.invalidParameter(name, "'\(wrong)' is not a valid relationship name")
        case .order(let known):
            guard let wrong = wrong(value, known + known.map { "-\($0)" }) else { return }
            throw ConnectFailure.invalidParameter(name, "'\(wrong)' is not a valid sort order")
        case .cursor:
            guard ConnectCursor.offset(value) == nil else { return }
            throw ConnectFailure.invalidParameter(name, "'\(value)' is not a valid cursor for this request")
        }
    }

    /// The first value that isn't known.
    private static func wrong(_ value: String, _ known: [String]) -> String? {
        value.split(separator: ",").map(String.init).first { !known.contains($0) }
    }
}
