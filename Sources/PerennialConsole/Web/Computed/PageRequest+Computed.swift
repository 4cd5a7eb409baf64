import PerennialHTTP

extension PageRequest {
    /// The parameter that asks for a page to be made again.
    private static let anew = "again"
    /// Seconds after which a page that is under way is asked for again.
    private static let refresh = 1

    /// Returns a page that is made in the background: as soon as it is there, with its time and a link that makes it again;
    /// before that how far it is.
    ///
    /// - Parameters:
    ///   - path: The page's own path, such as `explain/comparison`.
    ///   - frame: The page without its result.
    ///   - revision: Of what the page shows: one that was made for another isn't shown any more.
    ///   - running: Says how much was read, and for how many seconds.
    func computed(
        _ path: String, _ frame: Page, revision: String = "", running: Phrase = ComputedPhrases.running,
        _ make: @escaping ComputedPages.Make
    ) async throws -> Page {
        var parameters = query
        let isAnew = parameters.removeValue(forKey: Self.anew) != nil
        let fields = parameters.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
            .map { "\($0.key)=\(ConsolePath.encoded($0.value))" }
        let own = self.path(path) + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
        let reader = visitor.permissions.map(\.rawValue).sorted().joined(separator: " ")
        // Texts are translated when they are shown, names of storefronts when they are made.
        let key = "\(own) \(language.rawValue) \(reader) \(revision)"
        switch try await services.computed.page(key, anew: isAnew, make) {
        case .made(var page, let age):
            let again = Link(.phrase(ComputedPhrases.again), own + (fields.isEmpty ? "?" : "&") + Self.anew + "=1")
            page.blocks += [
                .paragraph(.phrase(ComputedPhrases.made, .number(age.components.seconds))), .links([again]),
            ]
            return page
        case .running(let progress, let since):
            return underWay(
                frame, own,
                .phrase(running, .number(progress.entries), .number(since.components.seconds)))
        case .waiting(let before): return underWay(frame, own, .phrase(ComputedPhrases.waiting, .number(before)))
        }
    }

    private func underWay(_ frame: Page, _ own: String, _ text: Text) -> Page {
        var page = frame
        page.blocks.insert(
            .notice(Notice(status: .neutral, text: text, advice: .phrase(ComputedPhrases.comesByItself))), at: 0)
        page.refresh = Page.Refresh(seconds: Self.refresh, path: own)
        return page
    }
}

/// Texts of pages that are made in the background.
enum ComputedPhrases {
    static let running = Phrase(
        "Reading the journal: %1 entries so far, %2 s.",
        fr: "Lecture du journal\u{202F}: %1 entrées jusqu’ici, %2 s.",
        pt: "Lendo o diário: %1 lançamentos até agora, %2 s.", zh: "正在讀取日誌：目前 %1 筆，%2 秒。",
        de: "Das Journal wird gelesen: bisher %1 Einträge, %2 s.")
    static let waiting = Phrase(
        "Waiting: %1 others are made first.", fr: "En attente\u{202F}: %1 autres passent d’abord.",
        pt: "Aguardando: %1 outras vêm antes.", zh: "等待中：前面還有 %1 個。", de: "Wartet: %1 andere sind vorher dran.")
    static let comesByItself = Phrase(
        "The result comes by itself. You may leave the page; it goes on.",
        fr: "Le résultat s’affiche de lui-même. Vous pouvez quitter la page\u{202F}; le calcul continue.",
        pt: "O resultado aparece sozinho. Você pode sair da página; o cálculo continua.",
        zh: "結果會自動顯示。你可以離開此頁面，計算會繼續進行。",
        de: "Das Ergebnis erscheint von selbst. Sie können die Seite verlassen; es geht weiter.")
    static let made = Phrase(
        "Computed %1 s ago.", fr: "Calculé il y a %1 s.", pt: "Calculado há %1 s.", zh: "%1 秒前計算。",
        de: "Vor %1 s berechnet.")
    static let again = Phrase(
        "Compute again", fr: "Recalculer maintenant", pt: "Calcular de novo", zh: "重新計算", de: "Neu berechnen")
}
