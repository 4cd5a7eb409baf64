import Foundation
import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialConsole

@Suite("Console: signing in")
struct SignInTests {
    @Test("a one-time link signs in once, as operator, and leads to the console")
    func link() async throws {
        try await ConsoleServer.run { server in
            let link = try await server.services.accounts.makeLink()
            // A program that only looks doesn't use it up.
            _ = try await server.send(.head, link.path)
            let reply = try await server.get(link.path)
            #expect(reply.status == 303 && reply.location == "/console")
            let token = try #require(reply.cookie("perennial-session"))
            let page = try await server.get("\(ConsoleServer.place)/environments", session: token)
            #expect(page.status == 200)
            let again = try await server.get(link.path)
            #expect(again.status == 403 && again.cookie("perennial-session") == nil)
            #expect(try await server.services.accounts.session(token: token)?.user == nil)
        }
    }

    @Test("a link expires after ten minutes")
    func expiredLink() async throws {
        try await ConsoleServer.run { server in
            let link = try await server.services.accounts.makeLink()
            server.shop.clock.advance(by: .minutes(10))
            #expect(try await server.get(link.path).status == 403)
        }
    }

    @Test("the session's cookie is HttpOnly, SameSite, Secure over TLS, named by port")
    func cookie() async throws {
        try await ConsoleServer.run { server in
            for (proxy, isSecure) in [(nil, false), ("https", true)] as [(String?, Bool)] {
                var headers = HTTPFields()
                headers[.init("X-Forwarded-Proto")!] = proxy
                let link = try await server.services.accounts.makeLink()
                let reply = try await server.get(link.path, headers: headers)
                let cookie = try #require(reply.headers[values: .setCookie].first)
                for attribute in ["; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=604800"] {
                    #expect(cookie.contains(attribute))
                }
                #expect(cookie.contains("; Secure") == isSecure)
            }
        }
    }

    @Test("pages lead to the sign-in page and back; forms and streams are refused")
    func signedOut() async throws {
        try await ConsoleServer.run { server in
            let path = "\(ConsoleServer.place)/clock?since=1"
            let reply = try await server.get(path)
            #expect(reply.status == 303)
            #expect(reply.location == "/console/sign-in?return=" + ConsolePath.encoded(path))
            #expect(try await server.post("\(ConsoleServer.place)/clock", ["by": "P1D"]).status == 401)
            try await server.makeUser("uma@example.com", [.developer])
            let fields = ["email": "Uma@example.com", "password": ConsoleServer.password, "return": path]
            let signedIn = try await server.post("/console/sign-in", fields)
            #expect(signedIn.status == 303 && signedIn.location == path)
            // Nowhere else.
            for elsewhere in ["https://example.com", "//example.com", "/console//example.com", "/x"] {
                let fields = fields.merging(["return": elsewhere]) { $1 }
                #expect(try await server.post("/console/sign-in", fields).location == "/console")
            }
        }
    }

    @Test("unknown users and wrong passwords get the same answer")
    func wrong() async throws {
        try await ConsoleServer.run { server in
            try await server.makeUser("uma@example.com", [.developer])
            let wrong = try await server.post("/console/sign-in", ["email": "uma@example.com", "password": "wrong"])
            let unknown = try await server.post("/console/sign-in", ["email": "una@example.com", "password": "wrong"])
            #expect(wrong.status == 401 && unknown.status == 401)
            #expect(wrong.body.replacing("uma@", with: "una@") == unknown.body)
        }
    }

    @Test("ten wrong passwords make the user wait; the others sign in, and time ends it")
    func tenWrong() async throws {
        try await ConsoleServer.run { server in
            try await server.makeUser("uma@example.com", [.developer])
            try await server.makeUser("ivy@example.com", [.developer])
            let wrong = ["email": "uma@example.com", "password": "a wrong one"]
            for _ in 0..<10 { #expect(try await server.post("/console/sign-in", wrong).status == 401) }
            let right = ["email": "uma@example.com", "password": ConsoleServer.password]
            let refused = try await server.post("/console/sign-in", right)
            #expect(refused.status == 429)
            let wait = try #require(refused.headers[.retryAfter].flatMap { Int64($0) })
            let other = ["email": "ivy@example.com", "password": ConsoleServer.password]
            #expect(try await server.post("/console/sign-in", other).status == 303)
            server.shop.clock.advance(by: .seconds(wait))
            #expect(try await server.post("/console/sign-in", right).status == 303)
        }
    }

    @Test("a session ends after 12 idle hours, and after 7 days however it is used")
    func lifetime() async throws {
        try await ConsoleServer.run { server in
            let accounts = server.services.accounts
            let idle = try await server.signIn()
            server.shop.clock.advance(by: .hours(11))
            #expect(try await accounts.session(token: idle) != nil)
            server.shop.clock.advance(by: .hours(12))
            #expect(try await accounts.session(token: idle) == nil)
            let used = try await server.signIn()
            for _ in 0..<16 {
                server.shop.clock.advance(by: .hours(10))
                #expect(try await accounts.session(token: used) != nil)
            }
            server.shop.clock.advance(by: .hours(10))
            #expect(try await accounts.session(token: used) == nil)
        }
    }

    @Test("sessions end with a sign-out, a new password, and the user's departure")
    func ends() async throws {
        try await ConsoleServer.run { server in
            let accounts = server.services.accounts
            try await server.makeUser("uma@example.com", [.developer])
            let (one, two) = (try await server.signIn("uma@example.com"), try await server.signIn("uma@example.com"))
            #expect(try await server.post("/console/sign-out", session: one).cookie("perennial-session") == nil)
            #expect(try await accounts.session(token: one) == nil)
            #expect(try await accounts.session(token: two) != nil)
            let three = try await server.signIn("uma@example.com")
            _ = try await server.post("/console/sign-out-everywhere", session: three)
            #expect(try await accounts.session(token: two) == nil)
            let four = try await server.signIn("uma@example.com")
            try await accounts.setPassword(of: "uma@example.com", to: "another horse")
            #expect(try await accounts.session(token: four) == nil)
            let five = try await server.signIn("uma@example.com", password: "another horse")
            try await server.services.keys.team.edit { try $0.remove("uma@example.com") }
            #expect(try await accounts.session(token: five) == nil)
        }
    }

    @Test("an invited user chooses a password once, of at least ten characters")
    func passwordLink() async throws {
        try await ConsoleServer.run { server in
            try await server.makeUser("uma@example.com", [.developer])
            let link = try await server.services.accounts.makePasswordLink(of: "uma@example.com")
            #expect(try await server.get(link.path).body.contains("uma@example.com"))
            let short = try await server.post("/console/password", ["code": link.code, "password": "too short"])
            #expect(short.status == 422)
            let chosen = ["code": link.code, "password": "chosen by Uma"]
            #expect(try await server.post("/console/password", chosen).status == 200)
            #expect(try await server.post("/console/password", chosen).status == 403)
            _ = try await server.signIn("uma@example.com", password: "chosen by Uma")
            // It doesn't sign in by itself.
            let other = try await server.services.accounts.makePasswordLink(of: "uma@example.com")
            #expect(try await server.get("/connect?code=\(other.code)").status == 403)
        }
    }

    @Test func `a run of refused sign-ins has one entry of each kind in the audit log`() async throws {
        try await ConsoleServer.run { server in
            try await server.makeUser("uma@example.com", [.developer])
            let audit = ConsoleAudit(
                database: server.shop.database, wallClock: server.services.wallClock,
                randomBytes: server.services.randomBytes)
            func denied() async throws -> Int {
                try await audit.entries(before: nil, limit: 100).filter { $0.outcome == .denied }.count
            }
            for code in 0..<5 { #expect(try await server.get("/connect?code=wrong\(code)").status == 403) }
            #expect(try await denied() == 1)
            let wrong = ["email": "uma@example.com", "password": "a wrong one"]
            for _ in 0..<10 { #expect(try await server.post("/console/sign-in", wrong).status == 401) }
            #expect(try await denied() == 2)
            for _ in 0..<5 { #expect(try await server.post("/console/sign-in", wrong).status == 429) }
            #expect(try await denied() == 3)
            // Another run.
            server.shop.clock.advance(by: .minutes(11))
            #expect(try await server.get("/connect?code=wrong").status == 403)
            #expect(try await denied() == 4)
        }
    }

    @Test func `wrong codes of an address are limited like wrong passwords`() async throws {
        try await ConsoleServer.run { server in
            let accounts = server.services.accounts
            let address = ClientAddress(network: "203.0.113.7", isLoopback: false)
            for code in 0..<50 {
                await #expect(throws: ConsoleSignInError.linkInvalid) {
                    try await accounts.signIn(link: "wrong \(code)", from: address)
                }
            }
            let link = try await accounts.makeLink()
            await #expect(throws: PasswordRefusal.self) { try await accounts.signIn(link: link.code, from: address) }
            // Other addresses sign in.
            let other = ClientAddress(network: "203.0.113.8", isLoopback: false)
            _ = try await accounts.signIn(link: link.code, from: other)
            server.shop.clock.advance(by: .seconds(10))
            _ = try await accounts.signIn(link: try await accounts.makeLink().code, from: address)
        }
    }

    @Test("sign-ins, refusals and actions are in the audit log")
    func audit() async throws {
        try await ConsoleServer.run(chapters: [ProbeChapter()]) { server in
            try await server.makeUser("uma@example.com", [.developer])
            _ = try await server.post("/console/sign-in", ["email": "uma@example.com", "password": "wrong"])
            let session = try await server.signIn("uma@example.com")
            _ = try await server.get("\(ConsoleServer.place)/probe/file", session: session)
            _ = try await server.post("\(ConsoleServer.place)/probe", session: session)
            let audit = ConsoleAudit(
                database: server.shop.database, wallClock: server.services.wallClock,
                randomBytes: server.services.randomBytes)
            let entries = try await audit.entries(before: nil, limit: 10)
            #expect(
                Set(entries.map { "\($0.actor) \($0.action) \($0.outcome)" }) == [
                    "uma@example.com sign-in denied", "uma@example.com GET denied", "uma@example.com POST done",
                ])
        }
    }
}
