import Perennial

extension BlockContexts {
    mutating func context(_ form: Form) -> TemplateContext {
        lastForm += 1
        let prefix = "f\(lastForm)-"
        var context: TemplateContext = [
            "template": "form", "method": form.isQuery ? "get" : "post", "path": form.path,
            "sendsFiles": form.sendsFiles, "isRow": form.isRow,
            "fields": form.fields.enumerated().map { self.context($1, id: prefix + String($0)) },
            "submit": string(form.submit),
            "class": form.isDangerous ? "danger" : "prominent",
        ]
        if !form.isQuery { context["formToken"] = formToken }
        if let error = form.error { context["error"] = rich(error) }
        if let warning = form.warning { context["warning"] = rich(warning) }
        if let word = form.confirmation {
            context["confirmation"] =
                [
                    "id": prefix + "confirmation", "pattern": word.pattern,
                    "label": string(.phrase(BlockWords.confirmation, .data(word))),
                ] as TemplateContext
        }
        if let path = form.uploadPath { context["uploadPath"] = path }
        if let same = form.same { context["same"] = self.context(same) }
        return context
    }

    private func context(_ field: Field, id: String) -> TemplateContext {
        if case .hidden = field.kind { return ["template": "hidden-field", "name": field.name, "value": field.value] }
        var context: TemplateContext = [
            "template": "field", "id": id, "name": field.name, "label": string(field.label), "value": field.value,
            "isRequired": field.isRequired, "requiredLabel": string(BlockWords.required),
        ]
        if let hint = field.hint { context["hint"] = rich(hint, ["id": id + "-hint"]) }
        if let error = field.error {
            context["error"] = rich(error, ["id": id + "-error"])
            context["isInvalid"] = true
        }
        let describedBy = [field.hint.map { _ in id + "-hint" }, field.error.map { _ in id + "-error" }].compactMap(
            \.self)
        if !describedBy.isEmpty { context["describedBy"] = describedBy.joined(separator: " ") }
        if let length = field.maximumLength { context["maximumLength"] = length }
        addInput(field, to: &context)
        return context
    }

    /// Adds what is particular to the field's kind.
    private func addInput(_ field: Field, to context: inout TemplateContext) {
        switch field.kind {
        case .text:
            context["type"] = "text"
            context["completion"] = field.completion
        case .password:
            context["type"] = "password"
            context["completion"] = field.completion ?? "current-password"
        case .number:
            context["type"] = "text"
            context["inputMode"] = "decimal"
        case .date: context["type"] = "date"
        case .time: context["type"] = "time"
        case .file(let accepting):
            context["type"] = "file"
            context["accepting"] = accepting.isEmpty ? nil : accepting
            context["value"] = nil
        case .multiline(let rows):
            context["isMultiline"] = true
            context["rowCount"] = rows
        case .choice(let options):
            context["isChoice"] = true
            context["options"] = options.map { option -> TemplateContext in
                ["value": option.value, "text": string(option.text), "isSelected": option.value == field.value]
            }
        case .box:
            context["template"] = "box"
            context["isTicked"] = field.value == "on"
        case .hidden: break
        }
        if context["type"] != nil { context["isInput"] = true }
        if (context["value"] as? String)?.isEmpty == true, context["isInput"] != nil { context["value"] = nil }
    }

    /// True if the choices are links beside each other, as they fit in a row.
    private func isSegmented(_ choice: Filter.Choice) -> Bool {
        if choice.allowsSeveral { return true }
        return choice.options.count <= 6 && choice.options.map { string($0.text).count }.reduce(0, +) <= 60
    }

    /// Returns the selected values in words; `nil` if nothing is selected.
    private func selected(_ filter: Filter) -> String? {
        let chosen = filter.choices.flatMap { choice in
            choice.options.filter { !$0.value.isEmpty && choice.values.contains($0.value) }.map { string($0.text) }
        }
        let words = chosen + filter.searches.map(\.value).filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }

    /// Choices of few values are links, those of many or long ones are menus of a form.
    mutating func context(_ filter: Filter) -> TemplateContext {
        let kept =
            filter.choices.map { ($0.parameter, $0.selected) } + filter.searches.map { ($0.parameter, $0.value) }
            + filter.hidden.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        // The selected values of several belong to the other choices as they are.
        let several = Set(filter.choices.filter(\.allowsSeveral).map(\.parameter))
        func options(_ choice: Filter.Choice) -> [TemplateContext] {
            choice.options.map { option in
                let others = choice.allowsSeveral ? kept : kept.filter { !several.contains($0.0) }
                let query = others.map { $0.0 == choice.parameter ? ($0.0, choice.selecting(option.value)) : $0 }
                    .filter { !$0.1.isEmpty }
                let path =
                    "?"
                    + query.map { ConsolePath.encoded($0.0) + "=" + ConsolePath.encoded($0.1) }.joined(separator: "&")
                return [
                    "value": option.value, "text": string(option.text), "path": path,
                    "isCurrent": choice.values.contains(option.value),
                ]
            }
        }
        let segments = filter.choices.filter { isSegmented($0) }
        let selects = filter.choices.filter { !isSegmented($0) }
        var context: TemplateContext = [
            "template": "filter",
            "segments": segments.map { ["label": string($0.label), "options": options($0)] as TemplateContext },
        ]
        if let form = filter.form { context["further"] = self.context(form) }
        let count = filter.choices.count + filter.searches.count + (filter.form == nil ? 0 : 1)
        if !filter.choices.isEmpty, count > 1 {
            lastSheet += 1
            context["sheet"] =
                (["id": "filter-\(lastSheet)", "label": string(BlockWords.filter)] as TemplateContext)
                .with("selected", selected(filter))
        }
        guard !selects.isEmpty || !filter.searches.isEmpty else { return context }
        let hidden =
            segments.map { ($0.parameter, $0.selected) }
            + filter.hidden.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        context["form"] =
            [
                "apply": string(BlockWords.apply),
                "hidden": hidden.filter { !$0.1.isEmpty }.map { ["name": $0.0, "value": $0.1] as TemplateContext },
                "selects": selects.map {
                    ["label": string($0.label), "parameter": $0.parameter, "options": options($0)] as TemplateContext
                },
                "searches": filter.searches.map {
                    (["label": string($0.label), "parameter": $0.parameter, "value": $0.value] as TemplateContext)
                        .with("placeholder", $0.placeholder.map { string($0) })
                },
            ] as TemplateContext
        return context
    }
}

extension Filter.Choice {
    /// The values that are selected; one that is empty stands for all.
    fileprivate var values: [String] { allowsSeveral ? selected.split(separator: ",").map(String.init) : [selected] }

    /// Returns what is selected once an option is chosen.
    fileprivate func selecting(_ value: String) -> String {
        guard allowsSeveral else { return value }
        let isDeselected = values.contains(value)
        let chosen = options.map(\.value).filter { $0 == value ? !isDeselected : values.contains($0) }
        return chosen.joined(separator: ",")
    }
}

extension String {
    /// A regular expression of HTML's `pattern` that matches the text alone.
    fileprivate var pattern: String {
        var pattern = ""
        for character in self {
            if "\\^$.*+?()[]{}|/".contains(character) { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern
    }
}

// MARK: Lists that change

extension BlockContexts {
    mutating func context(_ list: LiveList) -> TemplateContext {
        let words: [String: Phrase] = [
            "connecting": BlockWords.connecting, "connected": BlockWords.connected,
            "interrupted": BlockWords.interrupted, "waiting": BlockWords.waiting,
            "pause": BlockWords.pause, "resume": BlockWords.resume,
        ]
        return [
            "template": "live", "path": list.path, "empty": string(list.empty),
            "words": words.mapValues { string($0) },
            "rows": list.rows.map { context($0) },
        ]
    }

    mutating func context(_ row: LiveRow) -> TemplateContext {
        var context = rich(row.text, mark(row.status))
        context["id"] = row.id
        context["kind"] = row.kind
        if let name = row.kindText { context["kindText"] = string(name) }
        context["time"] =
            ["parts": [moment(row.time, words: text.timeOfDay(row.time))]] as TemplateContext
        if !row.details.isEmpty {
            let links = row.path.map { [self.context(Link(row.text, $0))] } ?? []
            context["details"] = details(row.details).with("links", links)
        } else if let path = row.path {
            context["isLink"] = true
            context["path"] = path.asTarget
        }
        return context
    }

    mutating func context(_ list: OrderedList) -> TemplateContext {
        let ids = list.items.map(\.id)
        func order(movingItemAt index: Int, by step: Int) -> String {
            guard ids.indices.contains(index + step) else { return "" }
            var ids = ids
            ids.swapAt(index, index + step)
            return ids.joined(separator: ",")
        }
        return [
            "template": "order", "path": list.path, "label": string(list.label), "formToken": formToken,
            "save": string(BlockWords.saveOrder),
            "fields": list.fields.sorted { $0.key < $1.key }.map {
                ["name": $0.key, "value": $0.value] as TemplateContext
            },
            "items": list.items.enumerated().map { index, item -> TemplateContext in
                var context: TemplateContext = [
                    "id": item.id, "text": string(item.text), "isFirst": index == 0, "isLast": index == ids.count - 1,
                    "upOrder": order(movingItemAt: index, by: -1), "downOrder": order(movingItemAt: index, by: 1),
                    "upLabel": string(.phrase(BlockWords.up, item.text)),
                    "downLabel": string(.phrase(BlockWords.down, item.text)),
                ]
                if let path = item.path {
                    context["isLink"] = true
                    context["path"] = path.asTarget
                }
                if let note = item.note { context["note"] = string(note) }
                return context
            },
        ]
    }
}
