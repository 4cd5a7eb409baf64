import Perennial

/// Makes the contexts of what stands around a page.
struct FrameContexts {
    let frame: Frame
    let text: TextFormatter

    /// The icon of brand, search and “More”.
    private static let brandIcon =
        "M10 17.500V8.500M10 11.500C5.5 11.5 4 9 4 4.500c4 0 6 2 6 7zM10 9.500c0-4 1.5-6 5.5-6.5 0 4.5-1.5 6.5-5.5 6.500z"
    private static let searchIcon = "M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12.7 12.7 17 17"
    private static let moreIcon = "M4 6h12M4 10h12M4 14h12"

    init(_ frame: Frame) {
        self.frame = frame
        text = TextFormatter(frame.language, now: frame.now)
    }

    func context(of page: Page, notice: Text?) -> TemplateContext {
        var blocks = BlockContexts(
            frame.language, now: frame.now, formToken: frame.formToken, basePath: frame.environment.basePath)
        let title = text.string(page.title)
        let others = items(NavigationItem.allCases.filter { !NavigationItem.tabs.contains($0) }, current: page.place)
        var context = Self.words(frame.language).merging([
            "documentTitle": [title, frame.app?.name, frame.environment.name, "Perennial"].compactMap(\.self).joined(
                separator: " · "),
            "root": ConsolePath.root, "formToken": frame.formToken, "visitorName": frame.visitorName,
            "overviewPath": frame.path("overview"), "searchPath": frame.path("search"),
            "languagePath": ConsolePath.root + "/language", "signOutPath": ConsolePath.root + "/sign-out",
            "signOutEverywherePath": ConsolePath.root + "/sign-out-everywhere",
            "languages": Language.allCases.map { language -> TemplateContext in
                ["value": language.rawValue, "text": language.ownName, "isCurrent": language == frame.language]
            },
            "searchIcon": ["icon": Self.searchIcon], "moreIcon": ["icon": Self.moreIcon],
            "appMenu": appMenu(page.place), "environmentMenu": environmentMenu(page.place), "clock": clock(),
            "navigation": items(NavigationItem.allCases, current: page.place),
            "tabs": items(NavigationItem.tabs, current: page.place), "others": others,
            "isElsewhere": others.contains { $0["isCurrent"] as? Bool == true },
            "hasTrail": !page.trail.isEmpty, "trail": page.trail.map { blocks.context($0) },
            "hasActions": !page.actions.isEmpty, "actions": page.actions.map { blocks.context($0) },
            "blocks": blocks.contexts(page.blocks),
        ]) { $1 }.with("message", notice.map { blocks.rich($0) })
        context.set("title", title)
        return context
    }

    static func context(of page: BarePage) -> TemplateContext {
        var blocks = BlockContexts(page.language, now: page.now, formToken: page.formToken)
        let title = blocks.string(page.title)
        return words(page.language).merging([
            "documentTitle": title + " · Perennial", "title": title, "blocks": blocks.contexts(page.blocks),
        ]) { $1 }
    }

    private static func words(_ language: Language) -> TemplateContext {
        let words: [String: Phrase] = [
            "copied": BlockWords.copied, "skip": FrameWords.skip, "trail": FrameWords.trail, "search": Words.search,
            "searchHint": FrameWords.searchHint, "advance": FrameWords.advance, "advanceBy": FrameWords.advanceBy,
            "language": FrameWords.language, "signOut": FrameWords.signOut,
            "signOutEverywhere": FrameWords.signOutEverywhere, "console": FrameWords.console,
            "more": FrameWords.more,
        ]
        return [
            "language": language.rawValue, "words": words.mapValues { $0.text(in: language) },
            "brandIcon": ["icon": brandIcon],
            "assets": [
                "style": ConsoleAsset.styleSheet.path, "script": ConsoleAsset.script.path,
                "manifest": ConsoleAsset.manifest.path, "icon": ConsoleAsset.icon.path,
                "image": ConsoleAsset.image.path,
            ],
        ]
    }

    private func items(_ items: [NavigationItem], current: NavigationItem) -> [TemplateContext] {
        items.filter(isAllowed).map { item in
            [
                "text": item.name.text(in: frame.language), "path": frame.path(item.rawValue), "icon": item.icon,
                "isCurrent": item == current,
            ]
        }
    }

    private func isAllowed(_ item: NavigationItem) -> Bool {
        frame.permissions.contains(item.permission) && (frame.seesAllApps || !item.isOfAllApps)
    }

    /// The page of another app or environment: the same place, if the visitor may open its first page.
    private func landing(_ place: NavigationItem) -> String {
        (isAllowed(place) ? place : .overview).rawValue
    }

    private func appMenu(_ place: NavigationItem) -> TemplateContext {
        [
            "kind": "app", "label": Words.app.text(in: frame.language),
            "current": frame.app?.name ?? FrameWords.chooseApp.text(in: frame.language),
            "items": frame.apps.map { app -> TemplateContext in
                [
                    "text": app.name, "note": app.bundleID.rawValue, "isCurrent": app == frame.app,
                    "path": ConsolePath.page(
                        landing(place), environment: frame.environment.name, app: app.bundleID.rawValue),
                ]
            },
        ]
    }

    private func environmentMenu(_ place: NavigationItem) -> TemplateContext {
        let all: TemplateContext = [
            "text": FrameWords.manageEnvironments.text(in: frame.language),
            "path": frame.path(NavigationItem.environments.rawValue),
        ]
        return [
            "kind": "environment " + (frame.environment.isForTests ? "tests" : "production"),
            "label": Words.environment.text(in: frame.language), "current": frame.environment.name,
            "items": frame.environments.map { environment -> TemplateContext in
                [
                    "text": environment.name, "isCurrent": environment.id == frame.environment.id,
                    "path": ConsolePath.page(
                        landing(place), environment: environment.name, app: frame.app?.bundleID.rawValue),
                ]
            } + [all],
        ]
    }

    private func clock() -> TemplateContext {
        let isManual = frame.environment.clock == .manual
        return [
            "iso": frame.now.rfc3339(), "exact": text.exact(frame.now), "minute": text.minute(frame.now),
            "kind": (isManual ? FrameWords.stoppedClock : FrameWords.runningClock).text(in: frame.language),
            "isAdvanced": isManual && frame.permissions.contains(.operate), "path": frame.path("clock"),
            "spans": FrameWords.spans.map {
                ["value": $0.value, "text": $0.text.text(in: frame.language)] as TemplateContext
            },
        ]
    }
}
