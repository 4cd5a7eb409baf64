import Foundation
import HTTPTypes
import Testing

/// The requests that pages make with curl lead to routes that there are.
struct DocumentedRequestTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The pages, with lines that end in a backslash joined with the next.
    private static func pages() throws -> [(name: String, text: String)] {
        let folders = ["docs", "Examples"].flatMap { folder in
            (FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap { $0 as? String }
                ?? [])
                .map { "\(folder)/\($0)" }
        }
        return try (["README.md", "CONTRIBUTING.md"] + folders).filter { $0.hasSuffix(".md") }.map { name in
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            return (name, text.replacing(/\\\n\s*/, with: " "))
        }
    }

    /// Requests without credentials or with half a body: a route refuses them, and only what is no route is unknown.
    @Test func `the path of a curl command is a route`() async throws {
        let pages = try Self.pages()
        try await DescribedServer.run { server in
            var count = 0
            for page in pages {
                for request in page.text.matches(of: /\bcurl [^\n]*?https?:\/\/[^\/\s"]+(\/[^?\s"'`]*)[^\n]*/) {
                    count += 1
                    let method: HTTPRequest.Method = request.0.contains(" -d ") ? .post : .get
                    let reply = try await server.send(method, String(request.1), [])
                    #expect(![404, 405].contains(reply.status) && reply.status < 500, "\(page.name): \(request.0)")
                }
            }
            #expect(count >= 2)
        }
    }
}
