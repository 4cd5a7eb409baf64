import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// A user who sees the camera app only finds nothing of the magazine on the console's pages.
struct VisibleAppsTests {
    private static let email = "uma@example.com"
    private static let own = "/console/Sandbox/\(TestCatalog.otherBundleID)"
    private static let roles: Set<ConnectRole> = [.appManager, .customerSupport]

    /// Signs in a user who sees the camera app only.
    private static func signIn(_ server: ConsoleServer) async throws -> String {
        try await server.makeUser(email, roles, apps: [TestCatalog.camera.appleID])
        return try await server.signIn(email)
    }

    @Test func `no page of another app is found, whatever the permission`() async throws {
        try await ConsoleServer.run { server in
            let session = try await Self.signIn(server)
            for route in ConsoleRoutes.all(of: ConsoleChapters.all) {
                let path = route.path.split(separator: "/").map { $0.first == ":" ? "x" : $0 }.joined(separator: "/")
                let reply = try await server.send(
                    route.method, "\(ConsoleServer.place)/\(path)", session: session,
                    headers: [.contentType: "application/x-www-form-urlencoded"])
                #expect(reply.status == 404, "\(route.method) \(route.path)")
            }
            #expect(try await server.get("\(Self.own)/products", session: session).status == 200)
        }
    }

    @Test(arguments: ["customers", "sales/report"])
    func `pages of all apps are refused to a user who sees some`(path: String) async throws {
        try await ConsoleServer.run { server in
            let session = try await Self.signIn(server)
            #expect(try await server.get("\(Self.own)/\(path)", session: session).status == 403)
            #expect(try await server.get("/console/Sandbox/-/\(path)", session: session).status == 403)
            let overview = try await server.get("\(Self.own)/overview", session: session)
            #expect(overview.status == 200)
            #expect(!overview.body.contains("\(Self.own)/customers"))
        }
    }

    @Test func `all routes of payments are of all apps`() {
        let routes = ConsoleRoutes.all(of: ConsoleChapters.all).filter { $0.path.hasPrefix("payments") }
        #expect(routes.count == 7 && routes.allSatisfy(\.isOfAllApps))
    }

    @Test func `the live list of no app has events of visible apps only`() async throws {
        try await ConsoleServer.run { server in
            let session = try await Self.signIn(server)
            try await server.shop.buy("film.roll", as: "ann")
            try await server.shop.buy("lens", as: "ben", app: TestCatalog.otherBundleID)
            let seen = try await server.get("/console/Sandbox/-/live", session: session)
            #expect(seen.status == 200 && seen.body.contains("lens") && !seen.body.contains("film.roll"))
            let all = try await server.get("/console/Sandbox/-/live", session: try await server.signIn())
            #expect(all.body.contains("lens") && all.body.contains("film.roll"))
        }
    }

    @Test func `a search of no app finds no customer for a user who sees some apps`() async throws {
        try await ConsoleServer.run { server in
            let session = try await Self.signIn(server)
            try await server.shop.buy("film.roll", as: "magazine-reader")
            let path = "/console/Sandbox/-/search?query=magazine-reader"
            let link = "customers/magazine-reader"
            #expect(try await !server.get(path, session: session).body.contains(link))
            #expect(try await server.get(path, session: try await server.signIn()).body.contains(link))
        }
    }

    @Test func `accounts of other apps are neither listed nor found`() async throws {
        try await ConsoleServer.run { server in
            let session = try await Self.signIn(server)
            try await server.shop.buy("film.roll", as: "magazine-reader")
            try await server.shop.buy("lens", as: "photographer", app: TestCatalog.otherBundleID)
            let list = try await server.get("\(Self.own)/testers", session: session)
            #expect(list.body.contains("photographer") && !list.body.contains("magazine-reader"))
            let all = try await server.get("\(ConsoleServer.place)/testers", session: try await server.signIn())
            #expect(all.body.contains("photographer") && all.body.contains("magazine-reader"))
            for page in ["customers", "testers"] {
                #expect(try await server.get("\(Self.own)/\(page)/photographer", session: session).status == 200)
                #expect(try await server.get("\(Self.own)/\(page)/magazine-reader", session: session).status == 404)
            }
            for action in ["testers/magazine-reader", "testers/magazine-reader/clear", "customers/magazine-reader/buy"]
            {
                let reply = try await server.post("\(Self.own)/\(action)", ["product": "lens"], session: session)
                #expect(reply.status == 404, "\(action)")
            }
            let taken = try await server.post(
                "\(Self.own)/testers", ["account": "magazine-reader", "storefront": "DEU"], session: session)
            #expect(taken.status == 422)
            let store = server.shop.store
            #expect(try await store.accounts.account(named: "magazine-reader").storefront == .usa)
            let made = try await server.post(
                "\(Self.own)/testers", ["account": "new", "storefront": "DEU"], session: session)
            let path = try #require(made.location)
            #expect(try await server.get(path, session: session).status == 200)
        }
    }

    @Test func `a waiting purchase is answered on the page of its app only`() async throws {
        try await ConsoleServer.run { server in
            let session = try await Self.signIn(server)
            let film = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 1)
            try await server.shop.store.askToBuy.request(film, token: try await server.shop.signIn("child").token)
            _ = try await server.shop.store.accounts.put(
                "eve", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil,
                interruptsPurchases: true)
            _ = try await server.shop.refusal(of: "film.roll", as: "eve")
            let store = server.shop.store
            let approval = try #require(try await store.askToBuy.approvals(bundleID: TestCatalog.bundleID).first)
            let interruption = try #require(
                try await store.purchases.interruptions(bundleID: TestCatalog.bundleID).first)
            let operatorSession = try await server.signIn()
            for (kind, id) in [("approval", approval.id), ("interruption", interruption.id)] {
                let fields = ["id": "\(id)", "answer": "no"]
                let path = "testers/waiting/\(kind)"
                #expect(try await server.post("\(Self.own)/\(path)", fields, session: session).status == 404)
                let answered = try await server.post(
                    "\(ConsoleServer.place)/\(path)", fields, session: operatorSession)
                #expect(answered.status == 303, "\(kind)")
            }
        }
    }
}
