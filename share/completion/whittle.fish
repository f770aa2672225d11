# Completion of whittle and git whittle for fish; all that it offers comes from `whittle completion -- WORD...`.

function __whittle_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l program whittle
    if string match -q '*/*' -- $words[1]
        set program $words[1]
    end
    set -e words[1]
    if test "$words[1]" = whittle # git whittle
        set -e words[1]
    end
    set -l last $words[-1]
    for line in ($program completion -- $words 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- $last)
            case ':directory'
                __fish_complete_directories (string replace -r '^--[^=]*=' '' -- $last)
            case '*'
                echo $line
        end
    end
end

complete -c whittle -f -a '(__whittle_candidates)'
complete -c git-whittle -f -a '(__whittle_candidates)'
complete -c git -n '__fish_seen_subcommand_from whittle' -f -a '(__whittle_candidates)'
