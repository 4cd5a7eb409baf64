/// The bar, the navigation, menus, titles.
extension StyleSheet {
    static let frame = """
        body{display:grid;grid-template-columns:208px minmax(0,1fr);grid-template-rows:auto 1fr;min-height:100vh}
        .bar{grid-column:1/-1;position:sticky;top:0;z-index:20;display:flex;align-items:center;gap:4px;height:52px;
          padding:0 16px;background:var(--ground);border-bottom:1px solid var(--line)}
        .brand{display:flex;align-items:center;gap:8px;width:184px;font-weight:650;color:var(--ink);
          letter-spacing:-.01em}
        .brand:hover{text-decoration:none}
        .brand .icon{color:var(--accent);width:20px;height:20px}
        .menu{position:relative}
        .menu>summary{display:flex;align-items:center;gap:6px;min-height:32px;padding:0 8px;border-radius:6px;
          font-weight:500;white-space:nowrap}
        .menu>summary::after,.same>summary::after{content:"";width:5px;height:5px;border:solid var(--muted);
          border-width:0 1.5px 1.5px 0;transform:translateY(-2px) rotate(45deg)}
        .menu>summary:hover,.menu[open]>summary{background:var(--soft)}
        .menu .current{max-width:240px;overflow:hidden;text-overflow:ellipsis}
        .menu>.sheet{position:absolute;top:calc(100% + 6px);left:0;min-width:232px;max-height:70vh;overflow:auto;
          z-index:30}
        .menu li a,.user button{display:block;width:100%;padding:6px 8px;border:0;border-radius:6px;background:none;
          color:var(--ink);text-align:start;cursor:pointer}
        .menu li a:hover,.user button:hover{background:var(--soft);text-decoration:none}
        .menu li .note{display:block}
        .menu [aria-current=true]{font-weight:600}
        .menu [aria-current=true]::after{content:"✓"/"";float:inline-end;color:var(--accent)}
        .when{display:flex;align-items:center;margin-inline-start:8px;padding-inline-start:8px;
          border-inline-start:1px solid var(--line)}
        .environment>summary::before{content:"";width:8px;height:8px;border-radius:50%;background:var(--warning)}
        .environment.production>summary::before{background:var(--good)}
        .clock{display:flex;align-items:center;gap:8px;color:var(--muted);font-size:13px;white-space:nowrap}
        .tag{padding:1px 6px;border:1px solid var(--line);border-radius:4px;font-size:11px;color:var(--muted);
          white-space:nowrap}
        .advance>summary{color:var(--accent)}
        .advance>.sheet{display:grid;gap:8px;padding:12px}
        .search{display:flex;align-items:center;gap:8px;margin-inline-start:auto;height:34px;width:288px;padding:0 8px;
          border:1px solid var(--line);border-radius:6px;background:var(--soft);color:var(--muted)}
        .search:focus-within{border-color:var(--accent);background:var(--ground)}
        .search input{flex:1;min-width:0;border:0;background:none;outline:0;color:var(--ink);-webkit-appearance:none;
          appearance:none}
        .search .icon{width:16px;height:16px}
        .search kbd{font-size:11px}
        .user{margin-inline-start:8px}
        .user>.sheet{left:auto;right:0}
        .user .current{max-width:140px}
        .user legend{padding:8px 8px 4px;color:var(--muted);font-size:12px}
        .user .sheet>.note{display:none}
        .user form+form{margin-top:8px;padding-top:8px;border-top:1px solid var(--line)}
        .side{position:sticky;top:52px;align-self:start;height:calc(100vh - 52px);overflow:auto;padding:16px 8px;
          border-inline-end:1px solid var(--line)}
        .side a{display:flex;align-items:center;gap:10px;padding:6px 10px;border-radius:6px;color:var(--muted)}
        .side a:hover{background:var(--soft);color:var(--ink);text-decoration:none}
        .side [aria-current]{background:var(--tint);color:var(--accent);font-weight:600}
        .tabs{display:none}
        main{min-width:0;max-width:1264px;padding:24px 32px 64px;outline:0}
        main>*+*{margin-top:24px}
        .trail{font-size:13px}
        .trail ol{display:flex;flex-wrap:wrap;gap:4px}
        .trail li+li::before{content:"/"/"";margin-inline-end:4px;color:var(--muted)}
        .trail+.title{margin-top:4px}
        .title,.heading{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 16px}
        .bare{display:block}
        .bare main{max-width:400px;margin:0 auto;padding:12vh 24px 48px}
        .bare h1{margin-top:16px}
        .bare .brand{margin:0}
        .bare .form .button{width:100%;min-height:40px}
        """
}
