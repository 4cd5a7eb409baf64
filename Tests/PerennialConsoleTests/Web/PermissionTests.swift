import HTTPTypes
import Perennial
import PerennialConnect
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
