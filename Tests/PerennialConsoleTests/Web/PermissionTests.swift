import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

@Suite("Console: permissions")
struct PermissionTests {
    @Test("roles have the permissions of docs/reference/console.md")
    func roles() {
        let table: [ConnectRole: Set<Permission>] = [
            .accountHolder: Set(Permission.allCases), .admin: Set(Permission.allCases),
            .appManager: [.view, .viewSales, .support, .editCatalog, .operate],
            .developer: [.view, .support, .operate], .finance: [.view, .viewSales, .viewMoney],
            .sales: [.view, .viewSales], .accessToReports: [.view, .viewSales], .marketing: [.view, .editCatalog],
            .customerSupport: [.view, .support],
        ]
        for role in ConnectRole.allCases { #expect(Permission.all(of: [role]) == table[role] ?? []) }
        #expect(Permission.all(of: [.marketing, .finance]) == [.view, .editCatalog, .viewSales, .viewMoney])
    }

    @Test("each route refuses each role that lacks its permission, before anything else")
    func matrix() async throws {
        try await ConsoleServer.run { server in
            let routes = ConsoleRoutes.all(of: ConsoleChapters.all)
            for role in ConnectRole.ofKeys where role != .admin {
                let email = "\(role.rawValue.lowercased())@example.com"
                try await server.makeUser(email, [role])
                let session = try await server.signIn(email)
                for route in routes where !Permission.all(of: [role]).contains(route.permission) {
                    let path = route.path.split(separator: "/").map { $0.first == ":" ? "x" : $0 }
                        .joined(separator: "/")
                    let reply = try await server.send(
                        route.method, "\(ConsoleServer.place)/\(path)", session: session,
                        headers: [.contentType: "application/x-www-form-urlencoded"])
                    #expect(reply.status == 403, "\(role.rawValue) \(route.method) \(route.path)")
                }
            }
        }
    }

    @Test("no page links to a page that its visitor may not open")
    func links() async throws {
        try await ConsoleServer.run { server in
            for name in ["ann", "ben"] {
                try await server.shop.buy("film.roll", as: name)
                try await server.shop.buy("monthly", as: name)
            }
            let pages = ConsoleRoutes.all(of: ConsoleChapters.all).filter {
                $0.method == .get && !$0.path.contains(":")
            }
            for role in ConnectRole.ofKeys {
                let email = "\(role.rawValue.lowercased())@example.com"
                try await server.makeUser(email, [role])
                let session = try await server.signIn(email)
                var seen: Set<String> = []
                for route in pages where Permission.all(of: [role]).contains(route.permission) {
                    guard case .page = route.handler else { continue }
                    let page = try await server.get("\(ConsoleServer.place)/\(route.path)", session: session)
                    for match in page.body.matches(of: /href="(\/console\/Sandbox\/com[^"#?]*)/) {
                        let path = String(match.output.1)
                        guard seen.insert(path).inserted else { continue }
                        let status = try await server.send(.head, path, session: session).status
                        #expect(status != 403, "\(role.rawValue): \(route.path) links to \(path)")
                    }
                }
                #expect(seen.count > 3)
            }
        }
    }

    @Test("no page names a customer to a role that may not see customers")
    func customers() async throws {
        let (name, token) = ("zoe.hidden@example.com", "5f1c2c0e-7c26-4a0b-9a11-6a0f2c8f3b11")
        try await ConsoleServer.run { server in
            let store = server.shop.store
            try await store.notifications.configure(
                NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
            try await server.shop.buy("monthly", as: name, username: token)
            let sold = try await server.shop.buy("film.roll", as: name, username: token)
            try await server.shop.refund(sold)
            _ = try await store.rollUps.bringUpToDate(TestCatalog.magazine())
            let uuid = try #require(
                try await store.notifications.newest(of: TestCatalog.bundleID, limit: 1).first?.uuid)
            let pages = ConsoleRoutes.all(of: ConsoleChapters.all).filter {
                if case .page = $0.handler { !$0.path.contains(":") } else { false }
            }
            let start =
                pages.map(\.path) + [
                    "notifications/\(uuid)", "clock?since=0", "search?query=zoe.h", "search?query=\(uuid)",
                    "search?query=\(sold.id)", "live?account=\(ConsolePath.encoded(name))",
                    "explain/entries?statistic=units",
                ]
            for role in ConnectRole.ofKeys {
                let isHidden = !Permission.all(of: [role]).contains(.support)
                let email = "\(role.rawValue.lowercased())@example.com"
                try await server.makeUser(email, [role])
                let session = try await server.signIn(email)
                var (waiting, seen, namedOn) = (start.map { "\(ConsoleServer.place)/\($0)" }, Set<String>(), 0)
                while let path = waiting.popLast(), seen.count < 200 {
                    guard seen.insert(path).inserted else { continue }
                    let body = try await server.get(path, session: session).body
                    let found = [name, token, "eyJ"].filter { body.contains($0) }
                    if !found.isEmpty { namedOn += 1 }
                    #expect(found.isEmpty || !isHidden, "\(role.rawValue): \(path) has \(found)")
                    guard isHidden else { continue }
                    for match in body.matches(of: /href="(\/console\/Sandbox\/com[^"#]*)/) {
                        waiting.append(String(match.output.1).replacing("&amp;", with: "&"))
                    }
                }
                #expect(seen.count > 20)
                // The customer is there to be seen.
                #expect(isHidden || namedOn > 3, "\(role.rawValue)")
            }
        }
    }

    @Test func `the path of a request is told up to the kind of thing it is about`() {
        let paths = [
            "/sandbox/control/v1/accounts/zoe": "/sandbox/control/v1/accounts/…",
            "/environments/lab/control/v1/testers/zoe/clear": "/environments/lab/control/v1/testers/…",
            "/inApps/v1/transactions/2000000000000001": "/inApps/v1/transactions/…", "/v1/users/7": "/v1/users/…",
            "/verifyReceipt": "/verifyReceipt", "/": "/",
            "/console/Sandbox/com.example/customers/zoe": "/console/Sandbox/com.example/…",
        ]
        for (path, route) in paths {
            let request = LiveRequest(method: "GET", path: path, status: 404, microseconds: 1, caller: .other)
            #expect(request.route == route)
        }
    }

    @Test("each route refuses visitors who aren't signed in")
    func signedOut() async throws {
        try await ConsoleServer.run { server in
            for route in ConsoleRoutes.all(of: ConsoleChapters.all) {
                let path = route.path.split(separator: "/").map { $0.first == ":" ? "x" : $0 }.joined(separator: "/")
                let reply = try await server.send(route.method, "\(ConsoleServer.place)/\(path)")
                #expect(reply.status == (route.method == .get ? 303 : 401), "\(route.method) \(route.path)")
            }
        }
    }
}
