import Perennial
import Testing

@testable import PerennialConsole

@Suite("Pages as HTML")
struct PageRendererTests {
    private let markup = Markup(RenderingSamples.html())

    @Test("each tag is ended where it was begun, in all languages", arguments: Language.allCases)
    func nesting(language: Language) {
        let html = RenderingSamples.html(RenderingSamples.frame(language))
        #expect(Markup(html).problem == nil)
        #expect(html.contains("<html lang=\"\(language.rawValue)\">"))
    }

    @Test("texts and data are escaped wherever they stand")
    func escaping() {
        let scripts = markup.all("script")
        #expect(scripts.map { $0.attributes["src"] } == [ConsoleAsset.script.path])
        #expect(markup.tags.allSatisfy { tag in tag.attributes.keys.allSatisfy { !$0.hasPrefix("on") } })
        #expect(!RenderingSamples.html().contains("<script>"))
    }

    @Test("nothing is styled or run by the markup itself")
    func contentSecurity() {
        #expect(markup.tags.allSatisfy { $0.attributes["style"] == nil })
        #expect(markup.all("style", "iframe", "object", "base").isEmpty)
        let paths = markup.tags.compactMap { $0.attributes["href"] ?? $0.attributes["src"] ?? $0.attributes["action"] }
        #expect(paths.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("?") || $0.hasPrefix("#") })
    }

    @Test("there is one heading of the first level, and none is skipped")
    func headings() {
        let levels = markup.all("h1", "h2", "h3").compactMap { $0.name.last?.wholeNumberValue }
        #expect(levels.first == 1)
        #expect(levels.filter { $0 == 1 }.count == 1)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 })
    }

    @Test("each control has a name")
    func names() {
        let labelled = Set(markup.all("label").compactMap { $0.attributes["for"] })
        for control in markup.all("input", "select", "textarea") where control.attributes["type"] != "hidden" {
            let isNamed =
                control.attributes["aria-label"] != nil || control.attributes["id"].map(labelled.contains) == true
                || ["checkbox", "search"].contains(control.attributes["type"])
                || control.attributes["data-submit"] != nil
            #expect(isNamed, "\(control)")
        }
        for button in markup.all("button", "summary") where button.attributes["hidden"] == nil {
            #expect(
                button.attributes["aria-label"] != nil || button.text != "" || button.name == "summary", "\(button)")
        }
        #expect(markup.all("nav").allSatisfy { $0.attributes["aria-label"]?.isEmpty == false })
    }

    @Test("IDs are unique, and what is referred to is there")
    func identifiers() {
        let ids = markup.tags.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        let references = markup.tags.flatMap { tag in
            [tag.attributes["for"]].compactMap(\.self)
                + (tag.attributes["aria-describedby"] ?? "").split(separator: " ").map(String.init)
        }
        for reference in references { #expect(ids.contains(reference)) }
    }

    @Test("forms that post send the visitor's token, queries don't")
    func tokens() {
        var method: String?
        var hasToken = false
        for tag in markup.tags {
            if tag.name == "form", !tag.isEnd { (method, hasToken) = (tag.attributes["method"] ?? "get", false) }
            if tag.attributes["name"] == "form-token" { hasToken = tag.attributes["value"] == "token" }
            if tag.name == "form", tag.isEnd { #expect(hasToken == (method == "post")) }
        }
    }

    @Test("the navigation has only the places that the visitor may see")
    func permissions() {
        let html = RenderingSamples.html(RenderingSamples.frame(permissions: [.view]))
        let paths = Markup(html).all("a").compactMap { $0.attributes["href"] }
        #expect(paths.contains("/console/ci-1/com.example.magazine/live"))
        #expect(!paths.contains("/console/ci-1/com.example.magazine/payments"))
        #expect(!html.contains("name=\"by\""))
    }

    @Test("a manual clock can be advanced, a real one can't")
    func clock() {
        #expect(markup.all("select").contains { $0.attributes["name"] == "by" })
        let real = Markup(RenderingSamples.html(RenderingSamples.frame(clock: .real)))
        #expect(!real.all("select").contains { $0.attributes["name"] == "by" })
    }

    @Test("a page without navigation has its title and form")
    func bare() {
        let form = Form("/console/sign-in", submit: .phrase(Words.save), [Field("name", .phrase(Words.name))])
        let page = BarePage(
            title: .phrase(Words.search), blocks: [.form(form)], language: .german, now: RenderingSamples.now)
        let bare = Markup(PageRenderer().html(page))
        #expect(bare.problem == nil)
        #expect(bare.all("h1").map(\.text) == ["Suchen"])
        #expect(bare.all("nav").isEmpty)
    }

    @Test("a live row is an item that the script can tell")
    func liveRow() {
        let row = Markup(PageRenderer().html(RenderingSamples.liveRow, in: RenderingSamples.frame()))
        #expect(row.problem == nil)
        #expect(row.tags.first?.name == "li")
        #expect(row.all("li").first?.attributes["data-kind"]?.contains("&lt;script&gt;") == true)
    }

    @Test("style, script and a page together stay below 100 KB")
    func size() {
        let bytes = ConsoleAsset.all.values.map(\.bytes.count).reduce(0, +)
        #expect(bytes + RenderingSamples.html().utf8.count < 100_000)
        #expect(ConsoleAsset.all.count == 5)
        #expect(ConsoleAsset.image.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
}
