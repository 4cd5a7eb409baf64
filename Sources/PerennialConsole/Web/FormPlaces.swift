import HTTPTypes

/// The pages that forms stand on.
///
/// The answer to a refused form has the form's own address, which can't be opened: the browser's way back from a choice of
/// language, and a reload, are the page of the form.
struct FormPlaces: Sendable {
    /// The routes below the app: each one's parts.
    private let pages: Set<String>
    private let forms: [[Substring]]

    init(_ routes: [ConsoleRoutes.Route]) {
        pages = Set(routes.filter { if case .page = $0.handler { true } else { false } }.map(\.path))
        forms = routes.filter { $0.method != .get }.map { $0.path.split(separator: "/") }
    }

    /// Returns the path of a page for an address that a browser may show.
    ///
    /// - Parameter address: Path and query, of this console.
    /// - Returns: The address itself if it can be opened, or if no route has it; for a form's the page that the form stands on.
    func page(ofAddress address: String) -> String {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/")
        guard parts.count > 3 else { return Self.ofAccounts.contains(String(path)) ? ConsolePath.root : address }
        let place = parts.dropFirst(3)
        guard !opens(place), let form = forms.first(where: { Self.matches($0, place) }) else { return address }
        let count = (1..<max(form.count, 1)).reversed().first { pages.contains(form.prefix($0).joined(separator: "/")) }
        let page = parts.prefix(3) + (count.map { place.prefix($0) } ?? ["overview"])
        return "/" + page.joined(separator: "/")
    }

    /// The forms of signing in and out and of the language, which have no page.
    private static let ofAccounts: Set<String> = [
        ConsolePath.root + "/language", ConsolePath.root + "/sign-out", ConsolePath.root + "/sign-out-everywhere",
    ]

    /// Returns true if a page has the path. A form's own words go before a page's parameter, as in the router.
    private func opens(_ place: ArraySlice<Substring>) -> Bool {
        let isForm = forms.contains { Self.matches($0, place) }
        return pages.contains { page in
            let parts = page.split(separator: "/")
            return Self.matches(parts, place) && (!isForm || forms.contains(parts))
        }
    }

    private static func matches(_ pattern: [Substring], _ place: ArraySlice<Substring>) -> Bool {
        pattern.count == place.count && zip(pattern, place).allSatisfy { $0.first == ":" || $0 == $1 }
    }
}

extension ConsoleRouter {
    /// Returns the path of a page for an address that a browser may show; empty for an empty one.
    func pagePath(ofAddress address: String) -> String { address.isEmpty ? "" : formPlaces.page(ofAddress: address) }
}
