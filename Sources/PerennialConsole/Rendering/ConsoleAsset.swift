import BaseEncoding
import Crypto

/// A file that pages load: the style sheet, the script, icons, the manifest of the installed app.
struct ConsoleAsset: Sendable {
    /// Has a digest of the bytes: `/console/assets/console-1f3a….css`.
    let path: String
    let contentType: String
    let bytes: [UInt8]

    /// - Parameter name: Without its end; the digest is inserted before it.
    private init(_ name: String, _ end: String, _ contentType: String, _ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        self.contentType = contentType
        let digest = Hexadecimal.encode(SHA256.hash(data: self.bytes).prefix(8))
        path = "\(ConsolePath.root)/assets/\(name)-\(digest).\(end)"
    }

    /// The answers' `Cache-Control`: another content has another path.
    static let cacheControl = "public, max-age=31536000, immutable"

    /// The `Content-Security-Policy` of all pages: no markup of a page runs or styles anything.
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'
        """

    /// All, by their paths. They need no session.
    static let all: [String: ConsoleAsset] = Dictionary(
        uniqueKeysWithValues: [styleSheet, script, manifest, icon, image].map { ($0.path, $0) })

    static let styleSheet = ConsoleAsset("console", "css", "text/css; charset=utf-8", StyleSheet.text.utf8)
    static let script = ConsoleAsset("console", "js", "text/javascript; charset=utf-8", ConsoleScript.text.utf8)
    static let icon = ConsoleAsset("icon", "svg", "image/svg+xml", ConsoleIcon.svg.utf8)
    static let image = ConsoleAsset("icon", "png", "image/png", ConsoleIcon.png)
    static let manifest = ConsoleAsset(
        "console", "webmanifest", "application/manifest+json",
        """
        {"name": "Perennial", "short_name": "Perennial", "start_url": "\(ConsolePath.root)", \
        "scope": "\(ConsolePath.root)", "display": "standalone", "background_color": "#ffffff", \
        "theme_color": "#ffffff", "icons": [\
        {"src": "\(icon.path)", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}, \
        {"src": "\(image.path)", "sizes": "192x192", "type": "image/png", "purpose": "any maskable"}]}
        """.utf8)
}
