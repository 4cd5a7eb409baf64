import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import PerennialHTTP

/// The console's cookies. A browser sends the cookies of all ports of a host, so their names have the port: stores on several
/// ports of one machine don't sign each other's visitors out.
struct Cookies: Sendable {
    enum Name: String, Sendable {
        /// A session's token.
        case session
        case language
        /// The environment and app of the last page.
        case place
        /// The outcome of a form, shown once.
        case notice
    }

    private static let maximumLength = 4_096

    private let values: [String: String]
    private let suffix: String
    /// True if the browser sends these cookies over TLS only.
    let isSecure: Bool

    init(_ request: Request, isSecure: Bool) {
        suffix = request.head.authority.flatMap { HostField($0)?.port }.map { "-\($0)" } ?? ""
        self.isSecure = isSecure
        var values: [String: String] = [:]
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";").prefix(100) {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[1].utf8.count <= Self.maximumLength else { continue }
                values[String(parts[0]).trimmed] = String(parts[1]).trimmed
            }
        }
        self.values = values
    }

    subscript(_ name: Name) -> String? { values[fullName(name)] }

    /// Returns the field that sets a cookie.
    ///
    /// - Parameters:
    ///   - value: Of characters that a cookie may have: base64url, percent-encoding.
    ///   - lifetime: In seconds; `nil` for until the browser ends, 0 removes the cookie.
    func setting(_ name: Name, to value: String, lifetime: Int64?) -> String {
        "\(fullName(name))=\(value); Path=/; HttpOnly; SameSite=Lax" + (lifetime.map { "; Max-Age=\($0)" } ?? "")
            + (isSecure ? "; Secure" : "")
    }

    private func fullName(_ name: Name) -> String { "perennial-\(name.rawValue)\(suffix)" }
}

extension Response {
    mutating func set(_ cookie: String) {
        headers.append(HTTPField(name: .setCookie, value: cookie))
    }
}
