import Foundation
import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Forms: the pages that they stand on, and choices that they don't have.
struct FormPlaceTests {
    private static let routes = ConsoleRoutes.all(of: ConsoleChapters.all)

    private static func path(_ template: some StringProtocol) -> String {
        "\(ConsoleServer.place)/"
            + template.split(separator: "/").map { $0.first == ":" ? "x" : String($0) }.joined(separator: "/")
    }

    @Test func `each form's address leads to a page that can be opened`() {
        let places = FormPlaces(Self.routes)
        let pages = Self.routes.compactMap { route -> String? in
            if case .page = route.handler { Self.path(route.path) } else { nil }
        }
        for route in Self.routes where route.method != .get {
            let page = places.page(ofAddress: Self.path(route.path))
            #expect(pages.contains(page), "\(route.path): \(page)")
            #expect(Self.path(route.path).hasPrefix(page), "\(route.path): \(page)")
        }
        for address in [
            "\(ConsoleServer.place)/sales?from=2026-01-01", "/console/sign-in", "\(ConsoleServer.place)/nothing/here",
        ] {
            #expect(places.page(ofAddress: address) == address)
        }
        #expect(places.page(ofAddress: "/console/sign-out-everywhere") == "/console")
    }

    @Test func `the language is changed after a refused form`() async throws {
        try await ConsoleServer.run { server in
            try await server.shop.buy("monthly", as: "ann")
            let session = try await server.signIn()
            let product = "products/monthly"
            for form in [
                "testers/ann/clear", "customers/ann/clear", "customers/ann/grant", "environments/reset", "clock",
                "testers/waiting/approval", "reviews/mode", "\(product)/prices/cancel", "\(product)/offers/new",
                "\(product)/localizations/edit", "notification-url", "team/invitations/accept", "keys",
            ] {
                let address = "\(ConsoleServer.place)/\(form)"
                let refused = try await server.post(address, session: session)
                #expect(refused.status >= 400, "\(form)")
                let chosen = try await server.post(
                    "/console/language", ["language": "de"], session: session,
                    headers: [.referer: "http://localhost\(address)"])
                let location = try #require(chosen.location)
                #expect(try await server.get(location, session: session).status == 200, "\(form): \(location)")
            }
        }
    }

    @Test func `no form takes a choice that its menu doesn't have, or none`() async throws {
        try await ConsoleServer.run { server in
            try await server.shop.buy("monthly", as: "ann")
            let sold = try await server.shop.buy("film.roll", as: "ann")
            let session = try await server.signIn()
            let pages =
                Self.routes.compactMap { route -> String? in
                    if case .page = route.handler, !route.path.contains(":") { route.path } else { nil }
                } + [
                    "products/new?type=autoRenewable", "products/monthly/edit",
                    "products/monthly/offers/new?kind=promotional",
                    "products/monthly/offers/new?kind=introductory", "products/monthly/offers/new?kind=winBack",
                    "products/monthly/localizations/edit", "products/monthly/availability",
                    "customers/ann", "testers/ann", "transactions/\(sold.id)",
                ]
            var tried: Set<String> = []
            for page in pages {
                let body = try await server.get("\(ConsoleServer.place)/\(page)", session: session).body
                for form in Self.forms(in: body) {
                    for menu in form.menus {
                        for value in ["nonsense", nil] {
                            var fields = form.fields
                            fields[menu] = value
                            // The clock of the bar.
                            guard !form.path.hasSuffix("/clock") else { continue }
                            let reply = try await server.post(form.path, fields, session: session)
                            tried.insert("\(form.path) \(menu)")
                            #expect(
                                reply.status == 422 && reply.body.contains("aria-invalid=\"true\""),
                                "\(page): \(form.path) \(menu)=\(value ?? "nothing") is answered \(reply.status)")
                        }
                    }
                }
            }
            #expect(tried.count > 15, "\(tried)")
        }
    }

    private struct SentForm {
        var path: String
        var fields: [String: String]
        var menus: [String]
    }

    /// The forms of a page that are posted, with the values that a browser would send.
    private static func forms(in body: String) -> [SentForm] {
        body.matches(of: /(?s)<form[^>]*method="post"[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/).map { match in
            let inside = String(match.output.2)
            var form = SentForm(path: String(match.output.1), fields: [:], menus: [])
            for input in inside.matches(of: /<input[^>]*name="([^"]*)"[^>]*>/)
            where !input.output.0.contains("checkbox") {
                let value = input.output.0.firstMatch(of: /\svalue="([^"]*)"/)?.output.1 ?? ""
                form.fields[String(input.output.1)] = String(value)
            }
            for menu in inside.matches(of: /(?s)<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/) {
                let options = menu.output.2
                // A menu with an empty value may be left at it.
                guard !options.contains("value=\"\"") else { continue }
                let chosen =
                    options.firstMatch(of: /value="([^"]*)" selected/) ?? options.firstMatch(of: /value="([^"]*)"/)
                form.fields[String(menu.output.1)] = chosen.map { String($0.output.1) }
                form.menus.append(String(menu.output.1))
            }
            return form
        }
    }
}
