import Perennial

/// A context of a template: names and texts, flags, other contexts and lists of them.
typealias TemplateContext = [String: Any]

/// Makes templates' contexts of blocks. One for each page, because it numbers the page's fields.
struct BlockContexts {
    let text: TextFormatter
    let formToken: String
    /// The path of the environment's base URL, for the calls that do a button's action.
    let basePath: String
    /// The number of the last form.
    var lastForm = 0
    /// The number of the last filter that is a sheet on phones.
    var lastSheet = 0
    /// The depth of sections: their headings.
    var depth = 0

    init(_ language: Language, now: Instant, formToken: String, basePath: String = "") {
        text = TextFormatter(language, now: now)
        self.formToken = formToken
        self.basePath = basePath
    }

    mutating func contexts(_ blocks: [Block]) -> [TemplateContext] { blocks.map { context($0) } }

    mutating func context(_ block: Block) -> TemplateContext {
        switch block {
        case .figures(let figures): ["template": "figures", "figures": figures.map { context($0) }]
        case .table(let table): context(table)
        case .facts(let facts): ["template": "facts", "facts": facts.map { context($0) }]
        case .form(let form): context(form)
        case .chart(let chart): context(chart)
        case .timeline(let entries): ["template": "timeline", "entries": entries.map { context($0) }]
        case .code(let sample): context(sample)
        case .notice(let notice): context(notice)
        case .empty(let state): context(state)
        case .columns(let columns):
            ["template": "columns", "columns": columns.map { ["blocks": contexts($0)] as TemplateContext }]
        case .section(let title, let id, let actions, let blocks): section(title, id, actions, blocks)
        case .details(let title, let blocks): details(blocks, label: title)
        case .checks(let checks): ["template": "checks", "checks": checks.map { context($0) }]
        case .paragraph(let text): rich(text, ["template": "paragraph"])
        case .links(let links): ["template": "links", "links": links.map { context($0) }]
        case .actions(let actions): ["template": "actions", "actions": actions.map { context($0) }]
        case .same(let same): context(same)
        case .filter(let filter): context(filter)
        case .live(let list): context(list)
        case .order(let list): context(list)
        }
    }

    private mutating func section(_ title: Text, _ id: String?, _ actions: [Action], _ blocks: [Block])
        -> TemplateContext
    {
        depth += 1
        defer { depth -= 1 }
        return [
            "template": "section", "title": string(title), "isNested": depth > 1, "hasActions": !actions.isEmpty,
            "actions": actions.map { context($0) }, "blocks": contexts(blocks),
        ].with("anchor", id)
    }

    /// Blocks that are closed until they are opened.
    mutating func details(_ blocks: [Block], label: Text = .phrase(BlockWords.details)) -> TemplateContext {
        ["template": "details", "label": string(label), "blocks": contexts(blocks)]
    }

    private mutating func context(_ notice: Notice) -> TemplateContext {
        rich(
            notice.text,
            [
                "template": "notice", "hasLinks": !notice.links.isEmpty, "links": notice.links.map { context($0) },
            ].merging(mark(notice.status)) { own, _ in own }.with("advice", notice.advice.map { rich($0) }))
    }

    private mutating func context(_ state: EmptyState) -> TemplateContext {
        rich(
            state.text,
            [
                "template": "empty", "hasActions": state.action != nil,
                "actions": (state.action.map { [$0] } ?? []).map { context($0) },
            ].with("same", state.same.map { context($0) }))
    }
}

// MARK: Texts, links, buttons

extension BlockContexts {
    func string(_ text: Text) -> String { self.text.string(text) }
    func string(_ phrase: Phrase) -> String { phrase.text(in: text.language) }

    /// The context of the template `text`: one text, or parts with times among them.
    func rich(_ text: Text, _ context: TemplateContext = [:]) -> TemplateContext {
        var context = context
        switch text {
        case .time, .phrase, .joined, .list:
            let parts = self.text.parts(text)
            guard parts.contains(where: { $0.moment != nil }) else {
                context.set("text", parts.first?.text ?? "")
                return context
            }
            context["parts"] = parts.map { part -> TemplateContext in
                guard let moment = part.moment else {
                    var words: TemplateContext = [:]
                    words.set("words", part.text)
                    return words
                }
                return [
                    "words": part.text, "isMoment": true, "iso": moment.rfc3339(), "exact": self.text.exact(moment),
                ]
            }
        default: context.set("text", string(text))
        }
        return context
    }

    /// A part of a text that says a moment, with its exact form.
    func moment(_ moment: Instant, words: String) -> TemplateContext {
        ["words": words, "isMoment": true, "iso": moment.rfc3339(), "exact": text.exact(moment)]
    }

    /// A small question mark that opens what a name means.
    func definition(_ text: Text?, of name: String) -> TemplateContext? {
        guard let text else { return nil }
        return ["label": "\(string(BlockWords.meaning)) \(name)", "text": string(text)]
    }

    func context(_ link: Link) -> TemplateContext {
        var context: TemplateContext = ["path": link.path.asTarget]
        context.set("text", string(link.text))
        return context
    }

    func context(_ action: Action) -> TemplateContext {
        switch action {
        case .link(let link, let isProminent):
            [
                "template": "action-link", "text": string(link.text), "path": link.path.asTarget,
                "isProminent": isProminent,
            ]
        case .download(let link):
            ["template": "action-download", "text": string(link.text), "path": link.path.asTarget]
        case .post(let text, let path, let fields, let isDangerous, let same):
            [
                "template": "action-post", "text": string(text), "path": path, "formToken": formToken,
                "fields": fields.sorted { $0.key < $1.key }.map {
                    ["name": $0.key, "value": $0.value] as TemplateContext
                },
                "isDangerous": isDangerous,
            ].with("same", same.map { context($0) })
        }
    }

    func context(_ same: SameCommand) -> TemplateContext {
        let all = [same] + same.further
        let commands = all.map { "perennial " + $0.command }
        var samples = [
            context(CodeSample(label: .phrase(BlockWords.commandLine), text: commands.joined(separator: "\n")))
        ]
        let calls = all.compactMap { $0.call?.curl(below: basePath) }
        if !calls.isEmpty {
            samples.append(context(CodeSample(label: .phrase(BlockWords.apiCall), text: calls.joined(separator: "\n"))))
        }
        return ["template": "same", "label": string(BlockWords.same), "samples": samples]
    }

    func context(_ sample: CodeSample) -> TemplateContext {
        [
            "template": "code", "label": string(sample.label), "code": sample.text, "copy": string(BlockWords.copy),
        ]
    }

    /// The mark of a status, with its meaning for screen readers.
    func mark(_ status: Status) -> TemplateContext {
        let words: [Status: Phrase] = [.good: BlockWords.good, .warning: BlockWords.warning, .bad: BlockWords.error]
        return ["status": status.rawValue].with("statusText", words[status].map { string($0) })
    }
}

extension SameCommand.Call {
    /// Returns the call by curl, with the store's URL and the control token from the shell's variables.
    ///
    /// - Parameter basePath: The path of the environment's base URL below the store's: `/sandbox`.
    func curl(below basePath: String) -> String {
        let place = isGlobal ? "" : basePath
        var lines = [
            "curl -X \(method) \"$PERENNIAL_URL\(place)/\(path)\"",
            "-H \"Authorization: Bearer $PERENNIAL_TOKEN\"",
        ]
        if let body {
            lines.append(
                "-d '" + body.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'")
        }
        return lines.joined(separator: " \\\n    ")
    }
}

extension TemplateContext {
    /// Sets a text that is shown: up to the first place at which a line may break, with the rest in `pieces`.
    mutating func set(_ name: String, _ text: String) {
        guard let pieces = LineBreaks.pieces(of: text) else { return self[name] = text }
        self[name] = pieces[0]
        self["pieces"] = Array(pieces.dropFirst())
    }

    /// Returns the context with a value, or without it if there is none: templates ask whether a name is there.
    func with(_ name: String, _ value: Any?) -> TemplateContext {
        guard let value else { return self }
        var context = self
        context[name] = value
        return context
    }
}

extension String {
    /// A link's target: a path of this server, or a URL of the web. Anything else, such as a script's URL in the data of an
    /// app, leads nowhere.
    var asTarget: String {
        let isOwn = hasPrefix("?") || hasPrefix("#") || (hasPrefix("/") && !hasPrefix("//"))
        return isOwn || hasPrefix("https://") || hasPrefix("http://") ? self : "#"
    }
}
