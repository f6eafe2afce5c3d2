// @ts-check
/**
 * The data of a page. `combatlog.web.live_document` writes the document; nothing else is read.
 *
 * @typedef {[number, number]} Square Column and row, both from 0.
 *
 * @typedef {object} Document The data of a page. Numbers in place of sentences refer to `texts`.
 * @property {number} version
 * @property {{name: string, ruleset: string, seat: string, sees_all: boolean}} fight
 * @property {any[][]} events `[seq, kind, declaration, cause, round, turn, by, sentence, more]`
 * @property {(0 | any[])[]} recorded The changes with each event: `[path, value, path, value ...]`.
 * @property {{order: number[], changes: Record<string, 0 | any[]>}} [counting] What counts now, if not everything does.
 * @property {number[][]} story `[sentence, declaration, seq, level]`
 * @property {number[][]} [recorded_story]
 * @property {any[]} corrections
 * @property {Record<string, number[]>} [why_not] By declaration: `[name, sentence, name, sentence ...]`.
 * @property {any} [report]
 * @property {Checked} [checked]
 * @property {string[]} texts
 * @property {string[][]} paths
 *
 * @typedef {object} Checked What `verify` found, and when.
 * @property {boolean} stands
 * @property {string} at
 * @property {string[]} findings
 * @property {string} summary
 *
 * @typedef {object} Combatant One combatant in a state. What is missing is none.
 * @property {string} name
 * @property {string} side
 * @property {Square} [at]
 * @property {Square[]} [spaces] The squares it covers, if more than its own.
 * @property {boolean} [gone]
 * @property {boolean} [fallen]
 * @property {string} [health] How it looks, if it is known by sight only.
 * @property {Record<string, [number, number | null]>} [vitals]
 * @property {Record<string, string>} [conditions]
 * @property {Record<string, string>} [figures]
 * @property {string[]} [left] What is left of its turn.
 * @property {string[]} [resources]
 * @property {string[]} [notes]
 * @property {Record<string, [number, number | null, number, number]>} [economy] Left, at most, spent, locked.
 * @property {Record<string, number>} [cards]
 *
 * @typedef {object} State
 * @property {number} [round]
 * @property {string} [turn]
 * @property {boolean} [closed]
 * @property {[string, number | null][]} [order]
 * @property {Record<string, string>} [map] Rows of letters by their number; missing: open ground.
 * @property {Record<string, string>} [marks] Landmarks by square: `"3,4"`.
 * @property {{who: string, reactions: string[], names: string[]}} [window] Reactions in words, and by name.
 * @property {Record<string, Combatant>} [who]
 *
 * @typedef {object} Dice
 * @property {string} notation
 * @property {string} purpose
 * @property {{face: number | string, kept: boolean}[]} faces
 * @property {number} added
 * @property {number} total
 * @property {string} origin
 *
 * @typedef {object} Modifier
 * @property {string} chain
 * @property {string} stage
 * @property {string} change
 * @property {string} source
 * @property {string} owner
 * @property {string} reason
 *
 * @typedef {object} FightEvent
 * @property {number} seq
 * @property {string} kind
 * @property {number} declaration
 * @property {number} cause 0: none.
 * @property {number} round
 * @property {string | null} turn
 * @property {string} by
 * @property {string} words
 * @property {number} [gone] The correction that took it back.
 * @property {string} [actor]
 * @property {1} [consent] Whether it is about a correction that the table has to agree to.
 * @property {any[]} [draw] `["step", who, from, to, forced]`, `["area", origin, squares, caught, source]`,
 *   `["attack", who, target, 0 miss 1 hit 2 critical, note, cover]`, `["hurt" or "heal", who, amount]`,
 *   `["terrain", square]`
 * @property {Dice} [dice]
 * @property {Modifier} [change]
 * @property {number[]} counted Seqs of the modifiers that counted.
 * @property {string[]} remarks
 *
 * @typedef {object} Line A line of the story.
 * @property {string} text
 * @property {number} declaration
 * @property {number} seq
 * @property {number} level 0: a sentence; 1: the heading of a turn; 2: that of a round.
 * @property {number} [gone]
 * @property {FightEvent[]} events
 *
 * @typedef {object} Mark A moment that the time line marks.
 * @property {number} place
 * @property {"round" | "turn" | "hit" | "death" | "correction"} kind
 * @property {string} label
 *
 * @typedef {object} Aimed The declaration in progress, on the map.
 * @property {Square[]} squares
 * @property {string[]} who Its targets, those it would catch, or those who could react to it.
 * @property {Square[]} way The squares that a move would pass, from the first to the last.
 *
 * @typedef {object} Live What a page of a fight that goes on has besides those of a replay.
 * @property {() => {id: string, title: string, panel: () => any}[]} tabs
 * @property {() => any} prompts What the fight waits for, and the results of messages.
 * @property {() => any} switches
 * @property {() => Aimed | undefined} aimed
 * @property {() => ((square: Square) => void) | undefined} onSquare
 * @property {(who: string | null) => void} onSelect
 * @property {import("./keys.js").Key[]} keys The keys here, in addition to those of a replay.
 *
 * @typedef {object} Track Frames in an order, with the state after each.
 * @property {FightEvent[]} events
 * @property {State[]} states
 * @property {Line[]} lines
 * @property {number[]} lineOf The line that each frame belongs to; -1: none yet.
 * @property {Mark[]} marks
 * @property {Map<number, number>} placeOf Frames by seq.
 *
 * @typedef {object} Correction
 * @property {number} seq
 * @property {string} by
 * @property {string} reason
 * @property {number[]} retracts
 * @property {number | null} undone
 * @property {number[]} places
 * @property {number} done
 * @property {string[]} changes
 *
 * @typedef {object} Fight
 * @property {Document["fight"]} about
 * @property {FightEvent[]} events
 * @property {Map<number, FightEvent>} bySeq
 * @property {Map<number, FightEvent[]>} groups By declaration.
 * @property {Track} counting
 * @property {Track} recorded
 * @property {boolean} isCorrected
 * @property {Correction[]} corrections
 * @property {Map<number, [string, string][]>} whyNot
 * @property {any} report
 * @property {Checked | null} checked
 * @property {string[]} sides
 * @property {{x: number, y: number, width: number, height: number}} bounds
 */
export {};
