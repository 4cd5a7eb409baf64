import Foundation

/// An entry of a token's `scope`: a request that the token is for, such as `GET /v1/apps?filter[platform]=IOS`.
package struct ConnectScope: Hashable, Sendable {
    /// Parameters that don't change the rows a request is about. They are left out of the comparison.
    private static let ignored: Set<String> = ["limit", "cursor", "sort"]

    private let path: String
    private let query: [String]

    /// Reads an entry.
    ///
    /// - Returns: `nil` for an entry of another method than GET, which is no entry.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0] == "GET", parts[1].first == "/" else { return nil }
        let target = parts[1].split(separator: "?", maxSplits: 1)
        path = String(target[0])
        query = Self.normalized(target.count == 2 ? QueryText.parameters(String(target[1])) ?? [] : [])
    }

    /// Returns true if the entry is for a request, in whatever order its parameters are.
    package func matches(method: String, path: String, query: [(name: String, value: String)]) -> Bool {
        method == "GET" && path == self.path && Self.normalized(query) == self.query
    }

    private static func normalized(_ query: [(name: String, value: String)]) -> [String] {
        query.filter { !ignored.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted()
    }
}

/// The query of a URL, as forms write it: percent-encoded, with `+` for a space.
package enum QueryText {
    /// Returns names and values in their order, decoded.
    ///
    /// - Returns: `nil` for a text with a broken percent-encoding.
    package static func parameters(_ text: String) -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        for part in text.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0]), let value = decoded(sides.count == 2 ? sides[1] : "") else {
                return nil
            }
            parameters.append((name, value))
        }
        return parameters
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
