import AsyncHTTPClient
import Foundation
import NIOHTTP1

/// The redirects of one POST, which stays a POST.
struct RedirectTrail {
    /// A server that redirects further than this is taken for one that redirects in a circle.
    static let maximumRedirects = 5

    enum Step: Equatable {
        case next(String)
        /// The location is no URL that HTTP reaches.
        case noURL
        case circular
    }

    private var visited: Set<String> = []

    /// Follows a redirect.
    ///
    /// - Parameter target: The URL that answered with `location`.
    mutating func follow(_ location: String, from target: String) -> Step {
        guard let next = URL(string: location, relativeTo: URL(string: target))?.absoluteURL,
            ["http", "https"].contains(next.scheme?.lowercased())
        else { return .noURL }
        visited.insert(target)
        guard visited.count <= Self.maximumRedirects, !visited.contains(next.absoluteString) else { return .circular }
        return .next(next.absoluteString)
    }

    /// The location that an answer redirects a POST to.
    static func location(_ response: HTTPClientResponse) -> String? {
        guard [301, 302, 307, 308].contains(response.status.code) else { return nil }
        return response.headers.first(name: "Location")
    }
}
