import Foundation
import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

@Suite("Console: the frame")
struct FrameTests {
    private let probe = "\(ConsoleServer.place)/probe"

    @Test("answers have strict security headers")
    func headers() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            for path in [probe, "\(probe)/missing", "\(probe)/file", "/console/sign-in", "/console"] {
                let reply = try await server.get(path, session: session)
                let policy = try #require(reply.headers[.contentSecurityPolicy])
                #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"))
                #expect(reply.headers[.xContentTypeOptions] == "nosniff")
                #expect(reply.headers[.cacheControl] == "no-store")
                #expect(reply.headers[.init("Referrer-Policy")!] == "same-origin")
            }
        }
    }

    @Test("a page under way leads the browser to itself, others stay")
    func refresh() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            let name = try #require(HTTPField.Name("Refresh"))
            let reply = try await server.get("\(probe)?refresh=probe", session: session)
            #expect(reply.headers[name] == "1; url=\(probe)")
            #expect(try await server.get(probe, session: session).headers[name] == nil)
        }
    }

    @Test("a refusal is shown in the visitor's language", arguments: Language.allCases)
    func refusal(_ language: Language) async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            let headers: HTTPFields = [.acceptLanguage: language.rawValue]
            let reply = try await server.get("\(probe)?refusal=1", session: session, headers: headers)
            // Its sentence is unknown, so that its code is what is said.
            let words = StoreError.Code.timeInThePast.phrase.text(in: language)
            #expect(reply.body.contains(language == .english ? "the clock moves forward" : words))
            #expect(language == .english || !reply.body.contains("the clock moves forward"))
        }
    }

    @Test("a form without its session's token, or of another session, changes nothing")
    func forgedForm() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let (session, other) = (try await server.signIn(), try await server.signIn())
            for token in ["", "00", SessionKeys(token: other).formToken] {
                #expect(try await server.post(probe, session: session, token: token).status == 403)
            }
            #expect(try await server.post(probe, session: session).status == 303)
        }
    }

    @Test(
        "a form of another site is refused, even with the token",
        arguments: [
            ("http://example.com", nil), ("http://localhost:8081", nil), ("null", nil), ("https://localhost:8443", nil),
            (nil, "cross-site"), (nil, "same-site"), ("http://localhost", "cross-site"),
        ] as [(String?, String?)])
    func crossSite(origin: String?, site: String?) async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            var headers = HTTPFields()
            headers[.origin] = origin
            headers[.init("Sec-Fetch-Site")!] = site
            #expect(try await server.post(probe, session: session, headers: headers).status == 403)
            #expect(try await server.post("/console/sign-in", headers: headers).status == 403)
            #expect(try await server.post("/console/language", headers: headers).status == 403)
        }
    }

    @Test("a form of the console's own page is accepted")
    func ownSite() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            let headers: HTTPFields = [.origin: "http://localhost", .init("Sec-Fetch-Site")!: "same-origin"]
            #expect(try await server.post(probe, session: session, headers: headers).status == 303)
        }
    }

    @Test("a notice is shown once, escaped, and only to its session")
    func notice() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            let reply = try await server.post(probe, ["word": "b"], session: session)
            #expect(reply.status == 303 && reply.location == probe)
            let notice = try #require(reply.cookie("perennial-notice"))
            var headers: HTTPFields = [.cookie: "perennial-session=\(session); perennial-notice=\(notice)"]
            let page = try await server.get(probe, headers: headers)
            #expect(page.body.contains("done &lt;b&gt;"))
            #expect(page.cookie("perennial-notice") == nil)
            #expect(page.headers[values: .setCookie].contains { $0.hasPrefix("perennial-notice=;") })
            let other = try await server.signIn()
            headers[.cookie] = "perennial-session=\(other); perennial-notice=\(notice)"
            #expect(try await !server.get(probe, headers: headers).body.contains("done &lt;b&gt;"))
        }
    }

    @Test("a download has a safe name; an upload is bounded and answers with a place")
    func files() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            let file = try await server.get("\(probe)/file", session: session)
            #expect(file.body == "a,b")
            #expect(
                file.headers[.contentDisposition] == "attachment; filename=\"_.csv\"; filename*=UTF-8''%C3%BC.csv")
            let token: HTTPFields = [.init("X-Form-Token")!: SessionKeys(token: session).formToken]
            func upload(_ body: String, _ headers: HTTPFields) async throws -> ConsoleServer.Reply {
                try await server.send(.put, "\(probe)/upload", body: body, session: session, headers: headers)
            }
            let sent = try await upload("1234567890", token)
            #expect(sent.status == 201 && sent.location == probe)
            #expect(try await upload("12345678901", token).status == 413)
            #expect(try await upload("1", [:]).status == 403)
        }
    }

    @Test("a stream's rows are events, each line of a row a line of data")
    func stream() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let reply = try await server.get("\(probe)/stream", session: try await server.signIn())
            #expect(reply.headers[.contentType]?.hasPrefix("text/event-stream") == true)
            #expect(reply.body.contains("id: 1\ndata: "))
            #expect(reply.body.split(separator: "\n").allSatisfy { ["re", "id", "da"].contains($0.prefix(2)) })
        }
    }

    @Test("errors are pages in the visitor's language", arguments: Language.allCases)
    func errors(language: Language) async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let headers: HTTPFields = [.acceptLanguage: language.rawValue]
            let session = try await server.signIn()
            func check(_ path: String, _ status: Int, _ phrase: Phrase) async throws {
                let reply = try await server.get(path, session: session, headers: headers)
                #expect(reply.status == status)
                #expect(reply.body.contains(phrase.text(in: language)), "\(path)")
            }
            try await check("\(ConsoleServer.place)/missing", 404, WebPhrases.notFound)
            try await check("/console/Elsewhere/-/probe", 404, WebPhrases.notFound)
            try await check("/console/Sandbox/com.example.none/probe", 404, WebPhrases.notFound)
            try await check("\(probe)?refusal=1", 400, WebPhrases.refused)
            try await check("\(probe)?fault=1", 500, WebPhrases.failed)
            try await check("/console/Sandbox/-/probe?app=1", 404, WebPhrases.chooseApp)
            let long = try await server.post(
                probe, ["x": String(repeating: "x", count: 70_000)], session: session, headers: headers)
            #expect(long.status == 413 && long.body.contains(WebPhrases.tooLarge.text(in: language)))
            try await server.makeUser("uma@example.com", [.marketing])
            let refused = try await server.get(
                "\(probe)/file", session: try await server.signIn("uma@example.com"), headers: headers)
            #expect(refused.status == 403 && refused.body.contains(WebPhrases.forbidden.text(in: language)))
        }
    }

    @Test("an unforeseen error has an ID and says nothing of itself")
    func unforeseen() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let reply = try await server.get("\(probe)?fault=internals", session: try await server.signIn())
            #expect(reply.status == 500 && !reply.body.contains("internals"))
        }
    }

    @Test("the first page is that of the last environment and app, also from /")
    func firstPage() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let session = try await server.signIn()
            let first = try await server.get("/console", session: session)
            #expect(first.location?.hasPrefix("/console/Production/com.example.") == true)
            let place = try #require(try await server.get(probe, session: session).cookie("perennial-place"))
            let cookies: HTTPFields = [.cookie: "perennial-session=\(session); perennial-place=\(place)"]
            #expect(try await server.get("/console", headers: cookies).location == "\(ConsoleServer.place)/overview")
            let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]
            #expect(try await server.get("/", headers: browser).location == "/connect")
            #expect(try await server.get("/").body.hasPrefix("Perennial"))
        }
    }

    @Test("the chosen language holds; the form leads back to its page")
    func language() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            let headers: HTTPFields = [.referer: "http://localhost\(probe)"]
            let reply = try await server.post("/console/language", ["language": "de"], headers: headers)
            #expect(reply.location == probe && reply.cookie("perennial-language") == "de")
        }
    }
}
