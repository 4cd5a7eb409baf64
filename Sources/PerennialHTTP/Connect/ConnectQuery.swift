import AppStoreFormats
import Foundation
import Hummingbird

/// The query of a request of the App Store Connect API: known parameters, each once, with several values joined by commas.
struct ConnectQuery: Sendable {
    /// A parameter that a route takes.
    struct Parameter: Hashable, Sendable {
        fileprivate enum Rule: Hashable {
            case values, oneOf([String]), limit(Int), fields([String]), relationships([String]), order([String]), cursor
        }

        let name: String
        fileprivate let rule: Rule

        /// A filter with any value.
        static func filter(_ name: String) -> Parameter { Parameter(name: "filter[\(name)]", rule: .values) }
        /// A filter whose values are known.
        static func filter(_ name: String, _ values: [String]) -> Parameter {
            Parameter(name: "filter[\(name)]", rule: .oneOf(values))
        }
        /// The names of the attributes and relationships of a type.
        static func fields(_ type: String, _ names: [String]) -> Parameter {
            Parameter(name: "fields[\(type)]", rule: .fields(names))
        }
        static func include(_ names: String...) -> Parameter {
            Parameter(name: "include", rule: .relationships(names))
        }
        /// The number of resources of an included relationship.
        static func limit(_ relationship: String) -> Parameter {
            Parameter(name: "limit[\(relationship)]", rule: .limit(ConnectQuery.maximumIncluded))
        }
        static func sort(_ names: String...) -> Parameter { Parameter(name: "sort", rule: .order(names)) }
        /// The parameters of a list.
        static let paging = [
            Parameter(name: "limit", rule: .limit(ConnectQuery.maximumLimit)),
            Parameter(name: "cursor", rule: .cursor),
        ]
    }

    static let maximumLimit = 200
    private static let usualLimit = 50
    static let maximumIncluded = 50
    /// The included resources of a relationship without a limit of its own.
    static let usualIncluded = 10

    /// In the order of the request.
    private let given: [(name: String, value: String)]

    /// Reads the query.
    ///
    /// - Throws: ``ConnectFailure`` 400 for unknown parameters, for one that comes twice, and for values of the wrong form.
    init(_ request: Request, _ parameters: [Parameter]) throws {
        guard let given = QueryText.parameters(request.uri.query ?? "") else {
            throw ConnectFailure(
                .badRequest, "PARAMETER_ERROR.INVALID", "A parameter has an invalid value",
                "The query has a broken percent-encoding")
        }
        self.given = given
        let rules = Dictionary(parameters.map { ($0.name, $0.rule) }) { first, _ in first }
        let unknown = given.map(\.name).filter { rules[$0] == nil }
        guard unknown.isEmpty else { throw ConnectFailure.illegalParameters(unknown) }
        var seen: Set<String> = []
        for (name, value) in given {
            guard seen.insert(name).inserted else {
                throw ConnectFailure.invalidParameter(
                    name, "The parameter '\(name)' is given more than once: join its values with commas")
            }
            if let rule = rules[name] { try Self.check(value, name, rule) }
        }
    }

    /// The text of a parameter; `nil` without one and for an empty one.
    func text(_ name: String) -> String? {
        given.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The values of a parameter; `nil` without one.
    func values(_ name: String) -> Set<String>? {
        text(name).map { Set($0.split(separator: ",").map(String.init)) }
    }

    /// The names of a type's members that the answer is limited to; `nil` for all.
    func fields(_ type: String) -> Set<String>? { values("fields[\(type)]") }

    func includes(_ relationship: String) -> Bool { values("include")?.contains(relationship) ?? false }

    var limit: Int { text("limit").flatMap { Int($0) } ?? Self.usualLimit }
    var offset: Int { text("cursor").flatMap(ConnectCursor.offset) ?? 0 }

    /// The order of a list: an attribute, and true for the descending one.
    var sort: (attribute: String, isDescending: Bool)? {
        text("sort").map { ($0.hasPrefix("-") ? String($0.dropFirst()) : $0, $0.hasPrefix("-")) }
    }

    /// The query of another page of the same list.
    func text(at offset: Int) -> String {
        var all = given.filter { $0.name != "cursor" && $0.name != "limit" }
        all.append((name: "limit", value: String(limit)))
        if offset > 0 { all.append((name: "cursor", value: ConnectCursor.text(offset))) }
        return all.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .unreservedAndComma) ?? ""
    }

    private static func check(_ value: String, _ name: String, _ rule: Parameter.Rule) throws {
        switch rule {
        case .values: break
        case .oneOf(let known):
            guard let wrong = wrong(value, known) else { return }
            throw ConnectFailure.invalidParameter(
                name, "'\(wrong)' is not a valid filter value: it is one of \(known.joined(separator: ", "))")
        case .limit(let maximum):
            guard let number = Int(value), (1...maximum).contains(number) else {
                throw ConnectFailure.invalidParameter(
                    name, "'\(value)' is not a valid limit: the range is 1 to \(maximum)")
            }
        case .fields(let known):
            guard let wrong = wrong(value, known) else { return }
            throw ConnectFailure.invalidParameter(name, "'\(wrong)' is not a valid field name")
        case .relationships(let known):
            guard let wrong = wrong(value, known) else { return }
            throw ConnectFailure.invalidParameter(name, "'\(wrong)' is not a valid relationship name")
        case .order(let known):
            guard !known.contains(where: { value == $0 || value == "-\($0)" }) else { return }
            throw ConnectFailure.invalidParameter(name, "'\(value)' is not a valid sort order")
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
