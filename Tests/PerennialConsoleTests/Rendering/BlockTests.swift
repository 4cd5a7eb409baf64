import Perennial
import Testing

@testable import PerennialConsole

@Suite("Blocks")
struct BlockTests {
    private func markup(_ blocks: Block...) -> Markup {
        let html = PageRenderer().html(Page(.data("Page"), .sales, blocks), in: RenderingSamples.frame())
        let markup = Markup(html)
        #expect(markup.problem == nil)
        return markup
    }

    @Test("a filter's links keep the other choices and leave out empty ones")
    func filter() {
        let filter = Filter(
            choices: [
                .init(
                    label: .data("Span"), parameter: "span", options: [("week", .data("Week")), ("", .data("All"))],
                    selected: "week"),
                .init(label: .data("Store"), parameter: "in", options: [("USA", .data("USA"))], selected: "USA"),
            ], searches: [.init(label: .data("Text"), parameter: "q", value: "a b")])
        let links = markup(.filter(filter)).all("a").filter { $0.attributes["href"]?.hasPrefix("?") == true }
        #expect(
            links.map { $0.attributes["href"] } == [
                "?span=week&amp;in=USA&amp;q=a%20b", "?in=USA&amp;q=a%20b", "?span=week&amp;in=USA&amp;q=a%20b",
            ])
        #expect(links.map { $0.attributes["aria-current"] } == ["true", nil, "true"])
    }

    @Test("each of several values is chosen and taken back by itself")
    func severalValues() {
        let filter = Filter(choices: [
            .init(
                label: .data("Show"), parameter: "show", options: [("", .data("All")), ("a", .data("A"))],
                selected: "a"),
            .init(
                label: .data("Only"), parameter: "kinds", options: ["x", "y", "z"].map { ($0, .data($0)) },
                selected: "z,x", allowsSeveral: true),
        ])
        let markup = markup(.filter(filter))
        let links = markup.all("a").filter { $0.attributes["href"]?.hasPrefix("?") == true }
        #expect(
            links.map { $0.attributes["href"] } == [
                "?", "?show=a", "?show=a&amp;kinds=z", "?show=a&amp;kinds=x%2Cy%2Cz", "?show=a&amp;kinds=x",
            ])
        #expect(links.map { $0.attributes["aria-current"] } == [nil, "true", "true", nil, "true"])
    }

    @Test("several choices are in a sheet that a button opens, one stays in place")
    func filterSheet() throws {
        let choice = Filter.Choice(
            label: .data("Span"), parameter: "span", options: [("week", .data("Week")), ("", .data("All"))],
            selected: "week")
        let search = Filter.Search(label: .data("Text"), parameter: "q", value: "ann")
        let markup = markup(.filter(Filter(choices: [choice], searches: [search])))
        let button = try #require(markup.all("button").first { $0.attributes["popovertarget"] != nil })
        let sheet = try #require(markup.all("div").first { $0.attributes["popover"] != nil })
        #expect(sheet.attributes["id"] == button.attributes["popovertarget"])
        #expect(button.text == "Filter")
        #expect(markup.all("span").contains { $0.attributes["class"] == "selected" && $0.text == "Week · ann" })
        for alone in [Filter(choices: [choice]), Filter(searches: [search, search])] {
            #expect(!self.markup(.filter(alone)).all("div").contains { $0.attributes["popover"] != nil })
        }
    }

    @Test("a form of its own is in the sheet with the choices")
    func filterForm() throws {
        let choice = Filter.Choice(
            label: .data("Span"), parameter: "span", options: [("week", .data("Week"))], selected: "week")
        let days = Form(
            "/sales", submit: .data("Show"), isQuery: true, isRow: true, [Field("from", .data("From"), .date)])
        let tags = markup(.filter(Filter(choices: [choice], form: days))).tags
        let sheet = try #require(tags.firstIndex { $0.attributes["popover"] != nil })
        let field = try #require(tags.firstIndex { $0.attributes["name"] == "from" })
        let end = try #require(
            tags.indices.first { $0 > sheet && tags[$0].name == "div" && tags[$0].text.contains("\n") })
        #expect(sheet < field && field < end && tags[field].attributes["type"] == "date")
        #expect(tags.contains { $0.attributes["popovertarget"] == tags[sheet].attributes["id"] })
    }

    @Test("a product's ID may break after its dots, and its link stays whole")
    func lineBreaks() {
        let id = "com.example.photomag.filter_silver"
        let pieces = ["com.", "example.", "photomag.", "filter_", "silver"]
        let (text, path) = (Text.data(id), "/products/\(id)")
        let table = Table(
            caption: text, columns: Array(repeating: .init(.data("a")), count: 5),
            rows: [
                .init([
                    Cell(text), Cell(text, path: path), .id(id), .id(id, path: path), Cell(text, title: .data("title")),
                ])
            ])
        let blocks: [Block] = [
            .table(table), .facts([Fact(.data("a"), .id(id))]), .links([Link(text, path)]), .paragraph(text),
            .timeline([TimelineEntry(time: RenderingSamples.now, text: text)]),
        ]
        let page = Page(text, .products, trail: [Link(text, path)], blocks)
        let tags = Markup(PageRenderer().html(page, in: RenderingSamples.frame())).tags
        let shown = tags.indices.filter { tags[$0].text == "com." }
        #expect(shown.count == 11)
        for index in shown {
            let following = tags[index..<(index + pieces.count)]
            #expect(following.map(\.text) == pieces && following.dropFirst().allSatisfy { $0.name == "wbr" })
        }
        #expect(tags.count { $0.attributes["href"] == path } == 4)
    }

    @Test("an ordered list's buttons post the order that they make")
    func order() {
        let list = OrderedList(
            label: .data("Levels"), path: "/order", items: ["a", "b", "c"].map { .init(id: $0, text: .data($0)) })
        let buttons = markup(.order(list)).all("button").filter { $0.attributes["class"] == "move" }
        #expect(buttons.map { $0.attributes["value"] } == ["", "b,a,c", "b,a,c", "a,c,b", "a,c,b", ""])
        #expect(buttons.map { $0.attributes["disabled"] != nil } == [true, false, false, false, false, true])
        #expect(buttons.first?.attributes["aria-label"] == "Move a up")
    }

    @Test("a field's error and hint are tied to it, and its value stays as it was sent")
    func field() throws {
        let form = Form(
            "/f", submit: .data("Send"), confirmation: "film.roll",
            [Field("price", .data("Price"), .number, value: "x\"", hint: .data("9.99"), error: .data("A number"))])
        let markup = markup(.form(form))
        let field = try #require(markup.all("input").first { $0.attributes["name"] == "price" })
        #expect(field.attributes["aria-describedby"] == "f1-0-hint f1-0-error")
        #expect(field.attributes["aria-invalid"] == "true")
        #expect(field.attributes["value"] == "x&quot;")
        let word = try #require(markup.all("input").first { $0.attributes["name"] == "confirmation" })
        #expect(word.attributes["pattern"] == "\\s*film\\.roll\\s*")
    }

    @Test("white space of code and of fields with lines stays as it is")
    func whiteSpace() {
        let text = "  {\n\n    a\n  }\n"
        let form = Form("/f", submit: .data("Send"), [Field("lines", .data("Lines"), .multiline(rows: 2), value: text)])
        let markup = markup(.section(.data("A"), [.code(CodeSample(label: .data("C"), text: text)), .form(form)]))
        #expect(markup.all("pre").first.map { _ in markup.all("code").first?.text } == text)
        #expect(markup.all("textarea").first?.text == "\n" + text)
    }

    @Test("a table's rows have a head, classes by column, and details that a box opens")
    func table() {
        let markup = markup(.table(RenderingSamples.table))
        #expect(markup.all("th").filter { $0.attributes["scope"] == "row" }.count == 2)
        #expect(markup.all("td").filter { $0.attributes["class"] == "end first" }.count == 2)
        #expect(
            markup.all("td").compactMap { $0.attributes["class"] }.filter { $0.contains("heat") } == [
                "end heat h5", "end heat h9",
            ])
        #expect(markup.all("input").contains { $0.attributes["class"] == "opener" })
        #expect(markup.all("tr").contains { $0.attributes["class"] == "total" })
        #expect(markup.all("td").contains { $0.attributes["colspan"] == "5" })
    }

    @Test("a page without rows keeps the links to the next and the first page")
    func emptyPage() {
        let empty = EmptyState(text: .data("Nothing yet"))
        func page(next: String?, first: String?) -> Markup {
            markup(
                .table(
                    Table(
                        caption: .data("T"), columns: [.init(.data("C"))], rows: [], next: next, first: first,
                        empty: empty)))
        }
        func links(_ markup: Markup) -> [String?] {
            markup.all("a").map { $0.attributes["href"] }.filter { $0?.hasPrefix("/list") == true }
        }
        #expect(links(page(next: "/list?after=9", first: "/list")) == ["/list", "/list?after=9"])
        #expect(links(page(next: nil, first: "/list")) == ["/list"])
        #expect(links(page(next: nil, first: nil)) == [])
        func text(_ markup: Markup) -> [String] { markup.all("p").map(\.text) }
        #expect(text(page(next: "/list?after=9", first: nil)).contains(BlockWords.readsOn.english))
        #expect(text(page(next: nil, first: "/list")).contains("Nothing yet"))
    }

    @Test(
        "a link leads to a path of the server or to the web",
        arguments: [
            ("/console/a", "/console/a"), ("?a=b", "?a=b"), ("https://example.com/", "https://example.com/"),
            ("javascript:alert(1)", "#"), ("//example.com", "#"), ("data:text/html,a", "#"), ("", "#"),
        ])
    func target(path: String, target: String) {
        let table = Table(caption: .data("T"), columns: [.init(.data("C"))], rows: [.init([.id("1", path: path)])])
        let links = markup(.links([Link(.data("a"), path)]), .table(table)).all("a").map { $0.attributes["href"] }
        #expect(links.filter { $0 == target }.count >= 2)
        #expect(target == path || !links.contains(path))
    }

    @Test("each form of a cell has a template, in the first column as in others")
    func cells() {
        let texts: [Text] = [
            .data("a"), .number(1), .money(.zero(.usd)), .time(RenderingSamples.now), .day(RenderingSamples.now),
        ]
        let cells = texts.flatMap { text in
            [
                Cell(text), Cell(text, path: "/a"), Cell(text, isFixedWidth: true),
                Cell(text, path: "/a", isFixedWidth: true),
                Cell(text, status: .good), Cell(text, path: "/a", status: .good), Cell(text, heat: 0.2),
                Cell(text, title: .data("b")),
            ]
        }
        for alignment in [Table.Column.Alignment.leading, .trailing] {
            for place in [Table.Column.Place.primary, .secondary, .wideOnly] {
                let column = Table.Column(.data("C"), alignment, place)
                let table = Table(caption: .data("T"), columns: [column, column], rows: cells.map { .init([$0, $0]) })
                let markup = markup(.table(table))
                #expect(markup.all("th").filter { $0.attributes["scope"] == "row" }.count == cells.count)
                #expect(markup.all("td").count == cells.count)
            }
        }
    }

    @Test("the call of a button is one for a shell")
    func call() {
        let call = SameCommand.Call("POST", "control/v1/x", "{\"a\": \"it's\"}")
        #expect(
            call.curl(below: "/sandbox") == """
                curl -X POST "$PERENNIAL_URL/sandbox/control/v1/x" \\
                    -H "Authorization: Bearer $PERENNIAL_TOKEN" \\
                    -d '{"a": "it'\\''s"}'
                """)
    }

    @Test("a change is good or bad by what is better")
    func change() {
        func figure(_ change: Double, isBetterLower: Bool) -> Block {
            .figures([
                Figure(
                    label: .data("a"), value: .number(1), change: change, isBetterLower: isBetterLower,
                    definition: .data("b"))
            ])
        }
        let blocks = [
            figure(0.1, isBetterLower: false), figure(0.1, isBetterLower: true), figure(0, isBetterLower: true),
        ]
        let classes = markup(blocks[0], blocks[1], blocks[2]).all("span").compactMap { $0.attributes["class"] }
        #expect(classes.filter { $0.hasPrefix("change") } == ["change good", "change bad", "change neutral"])
    }
}
