import BaseEncoding
import Perennial

/// The paths of the console's pages.
enum ConsolePath {
    static let root = "/console"
    /// Stands for the app where a page belongs to none.
    static let noApp = "-"

    /// Returns `/console/ENVIRONMENT/APP/path?query`.
    static func page(
        _ path: String, _ query: KeyValuePairs<String, String> = [:], environment: String, app: String?
    ) -> String {
        let place = [environment, app ?? noApp].map(encoded).joined(separator: "/")
        let fields = query.filter { !$0.value.isEmpty }.map { encoded($0.key) + "=" + encoded($0.value) }
        return "\(root)/\(place)/\(path)" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    /// Percent-encodes a segment of a path or a value of a query (RFC 3986: all but unreserved characters).
    static func encoded(_ text: String) -> String { PercentEncoding.encode(text) }
}

extension StoreEnvironment {
    /// The path of the environment's base URL below the store's: `/sandbox`; empty for Production.
    var basePath: String {
        switch id {
        case .production: ""
        case .sandbox: "/sandbox"
        default: "/environments/\(ConsolePath.encoded(name))"
        }
    }
}
