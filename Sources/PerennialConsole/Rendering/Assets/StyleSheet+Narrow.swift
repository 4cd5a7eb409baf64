/// Phones.
extension StyleSheet {
    /// The style below 720 points: the navigation at the bottom, rows of two lines, sheets from below. Larger targets wherever there
    /// are fingers. Paper is narrow, too, and gets the wide form.
    static let narrow = """
        @media screen and (max-width:1080px){
          .search{width:160px}
          .search kbd,.clock .tag{display:none}
          .brand{width:auto;margin-inline-end:8px}
          .brand span{display:none}
        }
        @media screen and (max-width:960px){
          .drawing:has(+.narrow){display:none}
          .drawing.narrow{display:block}
        }
        @media screen and (max-width:720px){
          body{display:block}
          .side,.bar>.search,.bar>.user{display:none}
          .bar{height:56px;padding:0 8px;gap:0}
          .brand{justify-content:center;min-width:44px;min-height:44px;margin:0 -6px 0 -8px}
          .when{display:grid;grid-template-columns:auto auto;margin-inline-start:auto;padding:0;border:0;min-width:0}
          .bar .app{flex:0 1 auto;min-width:0}
          .bar .app .current{flex:0 1 auto;min-width:0}
          .when{flex:none}
          .when .environment{grid-area:1/1}
          .when .environment>summary{min-height:52px;justify-content:flex-end;padding-bottom:20px}
          .clock{display:contents}
          .clock time{grid-area:1/1;align-self:end;justify-self:end;padding:0 8px 7px;font-size:11px;pointer-events:none}
          .clock .tag{display:none}
          .advance{grid-area:1/2;align-self:center}
          .advance>summary{min-width:44px;justify-content:center;font-size:18px}
          .advance>summary::after{content:none}
          .advance>summary::before{content:"»"/""}
          .advance .word{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
          .define[open]{z-index:41}
          .menu>.sheet,.same>.sheet,.define>.sheet{position:fixed;
            inset:auto 8px calc(68px + env(safe-area-inset-bottom)) 8px!important;width:auto;max-width:none;
            max-height:70vh;overflow:auto;z-index:40}
          .tabs{display:flex;position:fixed;inset:auto 0 0;z-index:25;padding-bottom:env(safe-area-inset-bottom);
            background:var(--ground);border-top:1px solid var(--line)}
          .tabs>a,.tabs>.menu{flex:1;min-width:0}
          .tabs>a,.tabs>.menu>summary{display:flex;flex-direction:column;align-items:center;justify-content:center;
            gap:2px;height:56px;padding:0 2px;color:var(--muted);font-size:11px;font-weight:500;white-space:nowrap;
            overflow:hidden}
          .tabs>.menu>summary::after{display:none}
          .tabs [aria-current=page],.tabs .elsewhere{color:var(--accent)}
          .tabs a:hover{text-decoration:none}
          .tabs .icon{width:22px;height:22px}
          .tabs .sheet ul{display:grid;grid-template-columns:1fr 1fr;margin-top:8px}
          .tabs .sheet li a{display:flex;align-items:center;gap:8px;min-height:44px}
          .tabs .sheet .sheet{border:0;box-shadow:none;padding:8px 0 0;border-top:1px solid var(--line);border-radius:0;
            margin-top:8px}
          .tabs .sheet button{min-height:44px;padding:6px 12px;border:1px solid var(--line);border-radius:6px;
            background:none}
          .tabs fieldset{display:flex;flex-wrap:wrap;gap:6px;margin-bottom:8px}
          .tabs legend{font-size:12px;color:var(--muted);padding-bottom:4px}
          .tabs .sheet [aria-current=true]{border-color:var(--accent)}
          main{padding:16px 16px calc(88px + env(safe-area-inset-bottom))}
          main>*+*{margin-top:20px}
          h1{font-size:20px}
          .figures{grid-template-columns:1fr 1fr;gap:16px}
          .figures>div{padding:0;border:0}
          .figures>div:first-child{grid-column:1/-1}
          .figures>div:first-child .figure{font-size:32px}
          .figure{font-size:20px}
          .table:not(:where(.heatmap)) table,.table:not(:where(.heatmap)) tbody{display:block}
          .table:not(:where(.heatmap)) :is(thead:not(:has(.define)),thead th:not(:has(.define))){position:absolute;
            width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
          .table:not(:where(.heatmap)) tbody tr:not(:where(.more)){display:flex;flex-wrap:wrap;align-items:baseline;
            gap:0 10px;padding:8px 0;min-height:44px;border-bottom:1px solid var(--line)}
          .table:not(:where(.heatmap)) tbody tr:not(:where(.more))::after{content:"";order:2;flex:0 0 100%}
          .table:not(:where(.heatmap)) tr:not(:where(.more))>*{padding:0;border:0;order:3;font-size:12px;
            color:var(--muted);text-align:start;background:none!important;min-width:0}
          .table:not(:where(.heatmap)) tr>th,.table:not(:where(.heatmap)) tr>td.first{order:1;font-size:14px;
            color:var(--ink)}
          .table:not(:where(.heatmap)) tr>th{flex:1 1 0;overflow:hidden;text-overflow:ellipsis}
          .table:not(:where(.heatmap)) thead:has(.define){display:block;border-bottom:1px solid var(--line)}
          .table:not(:where(.heatmap)) thead tr:has(.define){display:flex;flex-wrap:wrap;gap:0 16px}
          .table:not(:where(.heatmap)) thead th:has(.define){order:0;display:flex;flex:none;align-items:center;
            position:relative;max-width:100%;min-height:44px;overflow:visible;font-size:12px;
            font-weight:500;color:var(--muted);white-space:normal}
          .table:not(:where(.heatmap)) thead .define,.table:not(:where(.heatmap)) thead .define>summary{
            position:static}
          .table:not(:where(.heatmap)) thead .define>summary::after{inset:0}
          .table:not(:where(.heatmap)) tbody tr>th~.first.end{font-weight:600}
          .table:not(:where(.heatmap)) tr>.wide,.table:not(:where(.heatmap)) tr>td:empty{display:none}
          .table:not(:where(.heatmap)) td[data-label]::before{content:attr(data-label) " "}
          .table:not(:where(.heatmap)) tr>.acts{margin-inline-start:auto}
          .table:not(:where(.heatmap)) .total{border-top:1px solid var(--edge)}
          .table:not(:where(.heatmap)) tr:has(.opener:checked)+.more{display:block}
          .table:not(:where(.heatmap)) tr.more>td{display:block;padding:12px}
          .filter form{display:grid;flex:1 1 100%;grid-template-columns:repeat(2,minmax(0,1fr))}
          .filter form label{min-width:0}
          .filter form input,.filter form select{width:100%;min-width:0}
          .live-bar{top:56px}
          .heatmap td:has(>a){padding:0}
          .heatmap td>a{display:flex;align-items:center;justify-content:flex-end;min-width:60px;min-height:44px;
            padding:0 8px}
          .heatmap tbody th,.heatmap thead th:first-child{position:sticky;left:0;background:var(--ground);z-index:1}
          .timeline li{grid-template-columns:16px minmax(0,1fr);gap:0 8px}
          .timeline .at{grid-column:2;grid-row:2}
          .timeline .mark{grid-row:1}
          .facts>div{grid-template-columns:minmax(96px,30%) minmax(0,1fr);gap:12px}
          .rows>li:not(:has(>details)),.rows summary{flex-wrap:wrap;gap:0 8px;min-height:44px}
          .rows .what{order:1;flex:1 1 calc(100% - 40px)}
          .rows .mark{order:0}
          .rows .at,.rows .kind{order:2;flex:0 0 auto;font-size:12px}
          .columns{gap:24px}
        }
        @supports selector(:popover-open){
          @media screen and (max-width:720px){
            .filters{display:flex;width:100%;justify-content:flex-start}
            .filters .selected{overflow:hidden;text-overflow:ellipsis;color:var(--muted);font-weight:400}
            .filters::after{content:"";flex:none;width:6px;height:6px;margin-inline-start:auto;
              border:solid var(--muted);border-width:0 1.5px 1.5px 0;transform:translateY(-2px) rotate(45deg)}
            .filter[popover]:not(:popover-open){display:none}
            .filter:popover-open{position:fixed;inset:auto 0 0;display:grid;gap:16px;max-width:none;max-height:85vh;
              margin:0;padding:16px 16px calc(16px + env(safe-area-inset-bottom));overflow:auto;
              border-radius:12px 12px 0 0;background:var(--ground);box-shadow:var(--shadow)}
            .filter::backdrop{background:#0006}
            .filter:popover-open nav ul{display:flex}
            .filter:popover-open nav li{flex:1 0 auto}
            .filter:popover-open nav a{justify-content:center}
            .filter:popover-open form :is(.buttons,:not(.buttons)>.button){grid-column:1/-1}
            .filter:popover-open .buttons .button{flex:1}
          }
        }
        @media screen and (max-width:360px){
          .bar .brand{display:none}
        }
        @media screen and (max-width:720px),screen and (pointer:coarse){
          .button,.filter nav a,.menu>summary,.menu li a,.order .move,.copy,.user button{min-height:44px}
          .button,.copy,.filter nav a,.same>summary{min-width:44px}
          .acts .button{min-width:44px;min-height:44px}
          .filter nav a,.order .what a,.links a{display:flex;align-items:center;min-height:44px}
          .filter nav a{justify-content:center}
          .links{gap:0 16px}
          .links a{min-width:44px}
          .order .move{min-width:44px}
          .opener{width:44px;height:44px}
          input:not([type=checkbox]):not([type=file]),select,textarea{min-height:44px;font-size:16px}
          input[type=file]{padding:8px 0}
          .define>summary::after{inset:-14px}
          .facts .define>summary::after{inset:-8px -14px}
          .trail a{display:inline-block;min-width:44px;padding:14px 8px;margin:-14px -8px}
          .figures>div,.facts>div,.rows>li,.table:not(:where(.heatmap)) tbody tr{position:relative}
          .facts>div:has(>dd>a){align-items:center;min-height:44px}
          .figure a::after,.facts dd>a:only-of-type::after,.rows>li>.what a::after,
            .table:not(:where(.heatmap)) tr>th>a::after,
            .table:not(:where(.heatmap)) tr:not(:has(>th>a))>td.first:not(td.first:has(>a)~td)>a::after{content:"";
            position:absolute;inset:-1px 0}
          .define,.table :is(button,input,summary,.same){position:relative;z-index:1}
          .timeline p{line-height:25px}
          .timeline p a,.notice p a,.others a,main>p a{padding-block:5px}
          .table:not(:where(.heatmap)) tbody tr:has(>td:not(.first) a){row-gap:7px;padding:15px 0 10px}
          .table td a{position:relative;z-index:1;padding-block:2px 9px}
          .table:not(:where(.heatmap)) :is(tr:has(>th>a)>td.first,td.first:has(>a)~td.first)>a{display:inline-block;
            min-width:44px;padding:12px 0;margin:-12px 0;text-align:end}
          .table:not(:where(.heatmap)) tr:not(:has(>th>a))>td.first:not(td.first:has(>a)~td)>a{position:static}
          .field.box>label{min-height:44px}
          .fold>summary,.chart summary,.checks summary,.timeline summary,.same>summary{min-height:44px}
        }
        """
}
