import Testing

@testable import PerennialConsole

/// Pages that are made in the background.
@Suite("Computed pages")
struct ComputedPagesTests {
    private struct Refused: Error {}

    /// Opens once, and lets all through from then on.
    private actor Gate {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func pass() async {
            guard !isOpen else { return }
            await withCheckedContinuation { waiting.append($0) }
        }

        func open() {
            isOpen = true
            for one in waiting { one.resume() }
            waiting = []
        }
    }

    private static func pages(
        maximumWait: Duration = .zero, running: Int = 2, waiting: Int = 16, lifetime: Duration = .seconds(600)
    ) -> ComputedPages {
        var limits = ComputedPages.Limits()
        (limits.maximumWait, limits.running, limits.waiting, limits.lifetime) = (
            maximumWait, running, waiting, lifetime
        )
        return ComputedPages(limits: limits)
    }

    private static func page(_ name: String) -> Page { Page(.data(name), .sales, []) }

    /// Asks for a page until it is made.
    private func made(_ key: String, _ pages: ComputedPages) async throws -> Page {
        while true {
            let state = try await pages.page(key) { _ in Self.page("another") }
            if case .made(let page, _) = state { return page }
            await Task.yield()
        }
    }

    @Test("a page that takes long is under way, is made once, and is kept")
    func kept() async throws {
        let (pages, gate) = (Self.pages(), Gate())
        let first = try await pages.page("a") { progress in
            progress.add(entries: 7)
            await gate.pass()
            return Self.page("first")
        }
        guard case .running = first else { return #expect(Bool(false), "\(first)") }
        let second = try await pages.page("a") { _ in Self.page("second") }
        guard case .running(let progress, _) = second else { return #expect(Bool(false), "\(second)") }
        await gate.open()
        #expect(try await made("a", pages).title == .data("first"))
        #expect(progress.entries == 7)
        #expect(try await made("a", pages).title == .data("first"), "it is kept")
    }

    @Test("a page that is there at once is shown at once, and made again on demand")
    func again() async throws {
        let pages = Self.pages(maximumWait: .seconds(120))
        for (name, anew) in [("first", false), ("second", true)] {
            let state = try await pages.page("a", anew: anew) { _ in Self.page(name) }
            guard case .made(let page, _) = state else { return #expect(Bool(false), "\(state)") }
            #expect(page.title == .data(name))
        }
    }

    @Test("only so many pages are made at once, so many wait, and others are refused")
    func bounded() async throws {
        let (pages, gate) = (Self.pages(running: 1, waiting: 1), Gate())
        let make: ComputedPages.Make = { _ in
            await gate.pass()
            return Self.page("made")
        }
        _ = try await pages.page("a", make)
        let waiting = try await pages.page("b", make)
        guard case .waiting(let before) = waiting else { return #expect(Bool(false), "\(waiting)") }
        #expect(before == 1)
        await #expect(throws: CancellationError.self) { _ = try await pages.page("c", make) }
        await gate.open()
        _ = try await (made("a", pages), made("b", pages))
    }

    @Test("an error is shown once; the next visit tries again")
    func failed() async throws {
        let pages = Self.pages(maximumWait: .seconds(120))
        await #expect(throws: Refused.self) { _ = try await pages.page("a") { _ in throw Refused() } }
        let state = try await pages.page("a") { _ in Self.page("now") }
        guard case .made(let page, _) = state else { return #expect(Bool(false), "\(state)") }
        #expect(page.title == .data("now"))
    }

    @Test("a page is forgotten after its lifetime")
    func lifetime() async throws {
        let pages = Self.pages(maximumWait: .seconds(120), lifetime: .zero)
        for name in ["first", "second"] {
            let state = try await pages.page("a") { _ in Self.page(name) }
            guard case .made(let page, _) = state else { return #expect(Bool(false), "\(state)") }
            #expect(page.title == .data(name))
        }
    }
}
