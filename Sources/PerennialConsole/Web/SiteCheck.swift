import HTTPTypes
import Hummingbird
import PerennialHTTP

/// Tells a page of the console from other sites' pages that send requests to it.
enum SiteCheck {
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!

    /// Returns true if the request is from a page of this server itself, or from no page at all.
    ///
    /// `Sec-Fetch-Site` can't be forged by a page. A browser without it sends `Origin`, whose host and port have to be the
    /// request's own: another server of the same machine is another site.
    static func isOwn(_ request: Request) -> Bool {
        if let site = request.headers[fetchSite], site != "same-origin", site != "none" { return false }
        guard let origin = request.headers[.origin] else { return true }
        guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix),
            let site = HostField(origin.dropFirst(scheme.count)),
            let host = request.head.authority.flatMap({ HostField($0) })
        else { return false }
        let standard = scheme == "https://" ? 443 : 80
        // Behind a proxy that ends TLS, Host has no port, or the scheme's.
        return site.name == host.name && (site.port ?? standard) == (host.port ?? standard)
    }
}
