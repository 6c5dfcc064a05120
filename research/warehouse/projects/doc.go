// Package projects keeps what somebody wants to find out about a warehouse: by which
// pack, for which category and language, within which schemas, and what they say
// about themselves.
//
// A project names a version of a pack and holds only what it says otherwise, so
// that a better pack can be taken over. Its profile is checked by the form of the
// pack, its own prompts as the templates they are. It may be explored in the state
// ready; [State.To] is the table of what may follow what.
//
// [NewBrief] makes the system prompt of a run from a project, its pack and what is
// known of the warehouse. [PreviousContext] words what earlier runs found and what
// people thought of it, which [Store.Judge] keeps.
package projects
