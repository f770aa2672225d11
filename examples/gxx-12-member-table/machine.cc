// A stack machine with an assembler: the opcodes are member functions behind a table of 256 entries.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace machine {

using Word = std::int64_t;

struct Trap : std::runtime_error {
	Trap(std::size_t where, const std::string &what)
		: std::runtime_error("at " + std::to_string(where) + ": " + what), where(where) {}
	std::size_t where;
};

enum class Op : std::uint8_t {
	Nop, Halt, Push, Pop, Dup, Swap, Over, Rot,
	Add, Sub, Mul, Div, Mod, Neg,
	And, Or, Xor, Not, Shl, Shr,
	Eq, Ne, Lt, Le, Gt, Ge,
	Jump, JumpIf, JumpUnless, Call, Return,
	Load, Store, Print, Depth,
	Count_
};

enum class Operand { None, Number, Label, Slot };

struct OpInfo {
	const char *name;
	Op op;
	Operand operand;
	int pops, pushes;
};

constexpr OpInfo op_infos[] = {
	{ "nop", Op::Nop, Operand::None, 0, 0 },
	{ "halt", Op::Halt, Operand::None, 0, 0 },
	{ "push", Op::Push, Operand::Number, 0, 1 },
	{ "pop", Op::Pop, Operand::None, 1, 0 },
	{ "dup", Op::Dup, Operand::None, 1, 2 },
	{ "swap", Op::Swap, Operand::None, 2, 2 },
	{ "over", Op::Over, Operand::None, 2, 3 },
	{ "rot", Op::Rot, Operand::None, 3, 3 },
	{ "add", Op::Add, Operand::None, 2, 1 },
	{ "sub", Op::Sub, Operand::None, 2, 1 },
	{ "mul", Op::Mul, Operand::None, 2, 1 },
	{ "div", Op::Div, Operand::None, 2, 1 },
	{ "mod", Op::Mod, Operand::None, 2, 1 },
	{ "neg", Op::Neg, Operand::None, 1, 1 },
	{ "and", Op::And, Operand::None, 2, 1 },
	{ "or", Op::Or, Operand::None, 2, 1 },
	{ "xor", Op::Xor, Operand::None, 2, 1 },
	{ "not", Op::Not, Operand::None, 1, 1 },
	{ "shl", Op::Shl, Operand::None, 2, 1 },
	{ "shr", Op::Shr, Operand::None, 2, 1 },
	{ "eq", Op::Eq, Operand::None, 2, 1 },
	{ "ne", Op::Ne, Operand::None, 2, 1 },
	{ "lt", Op::Lt, Operand::None, 2, 1 },
	{ "le", Op::Le, Operand::None, 2, 1 },
	{ "gt", Op::Gt, Operand::None, 2, 1 },
	{ "ge", Op::Ge, Operand::None, 2, 1 },
	{ "jump", Op::Jump, Operand::Label, 0, 0 },
	{ "jumpif", Op::JumpIf, Operand::Label, 1, 0 },
	{ "jumpunless", Op::JumpUnless, Operand::Label, 1, 0 },
	{ "call", Op::Call, Operand::Label, 0, 0 },
	{ "return", Op::Return, Operand::None, 0, 0 },
	{ "load", Op::Load, Operand::Slot, 0, 1 },
	{ "store", Op::Store, Operand::Slot, 1, 0 },
	{ "print", Op::Print, Operand::None, 1, 0 },
	{ "depth", Op::Depth, Operand::None, 0, 1 },
};

static_assert(sizeof op_infos / sizeof op_infos[0] == static_cast<std::size_t>(Op::Count_), "one row for each opcode");

const OpInfo *find_op(std::string_view name)
{
	const auto end = std::end(op_infos);
	const auto found = std::find_if(std::begin(op_infos), end, [&](const OpInfo &info) { return name == info.name; });
	return found == end ? nullptr : found;
}

struct Instruction {
	Op op = Op::Nop;
	Word operand = 0;
	unsigned line = 0;
};

class Program {
public:
	void add(Instruction instruction) { code_.push_back(instruction); }
	const Instruction &at(std::size_t i) const { return code_.at(i); }
	Instruction &at(std::size_t i) { return code_.at(i); }
	std::size_t size() const { return code_.size(); }

private:
	std::vector<Instruction> code_;
};

// One instruction or label per line; "#" starts a comment.
class Assembler {
public:
	Program assemble(std::istream &in)
	{
		std::string text;
		for (unsigned line = 1; std::getline(in, text); line++)
			assemble_line(text, line);
		resolve();
		return std::move(program_);
	}

private:
	static std::vector<std::string> split(const std::string &text)
	{
		std::vector<std::string> words;
		std::istringstream in(text.substr(0, text.find('#')));
		for (std::string word; in >> word;)
			words.push_back(word);
		return words;
	}

	void assemble_line(const std::string &text, unsigned line)
	{
		auto words = split(text);
		if (!words.empty() && words.front().back() == ':') {
			words.front().pop_back();
			if (!labels_.emplace(words.front(), program_.size()).second)
				throw Trap(line, "label " + words.front() + " is defined twice");
			words.erase(words.begin());
		}
		if (words.empty())
			return;
		const OpInfo *info = find_op(words.front());
		if (!info)
			throw Trap(line, "unknown instruction " + words.front());
		if (words.size() != (info->operand == Operand::None ? 1u : 2u))
			throw Trap(line, words.front() + " has the wrong number of operands");
		Instruction instruction;
		instruction.op = info->op;
		instruction.line = line;
		switch (info->operand) {
		case Operand::None:
			break;
		case Operand::Number:
			instruction.operand = std::strtoll(words[1].c_str(), nullptr, 0);
			break;
		case Operand::Label:
			fixups_.emplace_back(program_.size(), words[1]);
			break;
		case Operand::Slot:
			instruction.operand = slot(words[1]);
			break;
		}
		program_.add(instruction);
	}

	Word slot(const std::string &name)
	{
		return slots_.emplace(name, static_cast<Word>(slots_.size())).first->second;
	}

	void resolve()
	{
		for (const auto &[where, name] : fixups_) {
			const auto found = labels_.find(name);
			if (found == labels_.end())
				throw Trap(program_.at(where).line, "no label " + name);
			program_.at(where).operand = static_cast<Word>(found->second);
		}
	}

	Program program_;
	std::map<std::string, std::size_t> labels_;
	std::map<std::string, Word> slots_;
	std::vector<std::pair<std::size_t, std::string>> fixups_;
};

template <class T, std::size_t Limit>
class Stack {
public:
	void push(T value)
	{
		if (items_.size() == Limit)
			throw std::length_error("stack overflow");
		items_.push_back(value);
	}

	T pop()
	{
		if (items_.empty())
			throw std::length_error("stack underflow");
		T value = items_.back();
		items_.pop_back();
		return value;
	}

	T &peek(std::size_t depth = 0)
	{
		if (depth >= items_.size())
			throw std::length_error("stack underflow");
		return items_[items_.size() - 1 - depth];
	}

	std::size_t size() const { return items_.size(); }

private:
	std::vector<T> items_;
};

class Cpu {
public:
	using Handler = void (Cpu::*)();

	explicit Cpu(Program program, std::ostream &out = std::cout)
		: program_(std::move(program)), out_(out), handlers_(make_handlers()) {}

	std::uint64_t run(std::uint64_t limit)
	{
		std::uint64_t steps = 0;
		while (!halted_ && pc_ < program_.size()) {
			if (steps++ == limit)
				throw Trap(program_.at(pc_).line, "too many steps");
			step();
		}
		return steps;
	}

private:
	void step()
	{
		current_ = program_.at(pc_++);
		const Handler handler = handlers_[static_cast<std::uint8_t>(current_.op)];
		try {
			(this->*handler)();
		} catch (const std::length_error &error) {
			throw Trap(current_.line, error.what());
		}
	}

	// Every opcode does nothing until it is given its handler below.
	static std::unique_ptr<Handler[]> make_handlers()
	{
		std::unique_ptr<Handler[]> table(new Handler[256]{ &Cpu::nop });
		for (int i = 1; i < 256; i++)
			table[i] = &Cpu::illegal;
		const auto set = [&](Op op, Handler handler) { table[static_cast<std::uint8_t>(op)] = handler; };
		set(Op::Halt, &Cpu::halt);
		set(Op::Push, &Cpu::push);
		set(Op::Pop, &Cpu::pop);
		set(Op::Dup, &Cpu::dup);
		set(Op::Swap, &Cpu::swap);
		set(Op::Over, &Cpu::over);
		set(Op::Rot, &Cpu::rot);
		set(Op::Add, &Cpu::binary<std::plus<Word>>);
		set(Op::Sub, &Cpu::binary<std::minus<Word>>);
		set(Op::Mul, &Cpu::binary<std::multiplies<Word>>);
		set(Op::Div, &Cpu::divide<std::divides<Word>>);
		set(Op::Mod, &Cpu::divide<std::modulus<Word>>);
		set(Op::Neg, &Cpu::unary<std::negate<Word>>);
		set(Op::And, &Cpu::binary<std::bit_and<Word>>);
		set(Op::Or, &Cpu::binary<std::bit_or<Word>>);
		set(Op::Xor, &Cpu::binary<std::bit_xor<Word>>);
		set(Op::Not, &Cpu::unary<std::bit_not<Word>>);
		set(Op::Shl, &Cpu::shift<true>);
		set(Op::Shr, &Cpu::shift<false>);
		set(Op::Eq, &Cpu::binary<std::equal_to<Word>>);
		set(Op::Ne, &Cpu::binary<std::not_equal_to<Word>>);
		set(Op::Lt, &Cpu::binary<std::less<Word>>);
		set(Op::Le, &Cpu::binary<std::less_equal<Word>>);
		set(Op::Gt, &Cpu::binary<std::greater<Word>>);
		set(Op::Ge, &Cpu::binary<std::greater_equal<Word>>);
		set(Op::Jump, &Cpu::jump);
		set(Op::JumpIf, &Cpu::jump_if<true>);
		set(Op::JumpUnless, &Cpu::jump_if<false>);
		set(Op::Call, &Cpu::call);
		set(Op::Return, &Cpu::leave);
		set(Op::Load, &Cpu::load);
		set(Op::Store, &Cpu::store);
		set(Op::Print, &Cpu::print);
		set(Op::Depth, &Cpu::depth);
		return table;
	}

	void nop() {}
	void illegal() { throw Trap(current_.line, "illegal instruction"); }
	void halt() { halted_ = true; }
	void push() { stack_.push(current_.operand); }
	void pop() { stack_.pop(); }
	void dup() { stack_.push(stack_.peek()); }
	void swap() { std::swap(stack_.peek(0), stack_.peek(1)); }
	void over() { stack_.push(stack_.peek(1)); }
	void depth() { stack_.push(static_cast<Word>(stack_.size())); }

	void rot()
	{
		std::swap(stack_.peek(2), stack_.peek(1));
		std::swap(stack_.peek(1), stack_.peek(0));
	}

	template <class F>
	void binary()
	{
		const Word right = stack_.pop(), left = stack_.pop();
		stack_.push(static_cast<Word>(F()(left, right)));
	}

	template <class F>
	void divide()
	{
		if (stack_.peek() == 0)
			throw Trap(current_.line, "division by zero");
		binary<F>();
	}

	template <class F>
	void unary()
	{
		stack_.push(F()(stack_.pop()));
	}

	template <bool Left>
	void shift()
	{
		const auto by = static_cast<unsigned>(stack_.pop()) & 63;
		const auto value = static_cast<std::uint64_t>(stack_.pop());
		stack_.push(static_cast<Word>(Left ? value << by : value >> by));
	}

	void jump() { pc_ = static_cast<std::size_t>(current_.operand); }

	template <bool Wanted>
	void jump_if()
	{
		if ((stack_.pop() != 0) == Wanted)
			jump();
	}

	void call()
	{
		calls_.push(pc_);
		jump();
	}

	void leave() { pc_ = calls_.pop(); }

	void load() { stack_.push(slots_[current_.operand]); }
	void store() { slots_[current_.operand] = stack_.pop(); }
	void print() { out_ << stack_.pop() << '\n'; }

	Program program_;
	std::ostream &out_;
	std::unique_ptr<Handler[]> handlers_;
	Instruction current_;
	std::size_t pc_ = 0;
	bool halted_ = false;
	Stack<Word, 4096> stack_;
	Stack<std::size_t, 1024> calls_;
	std::map<Word, Word> slots_;
};

} // namespace machine

static const char *const demo = R"(
	# prints the factorials of 1 to 12
		push 1
		store n
next:		load n
		call factorial
		print
		load n
		push 1
		add
		dup
		store n
		push 12
		le
		jumpif next
		halt
factorial:	dup
		push 1
		le
		jumpif one
		dup
		push 1
		sub
		call factorial
		mul
		return
one:		pop
		push 1
		return
)";

int main(int argc, char **argv)
{
	const std::uint64_t limit = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
	try {
		std::istringstream in(demo);
		machine::Cpu cpu(machine::Assembler().assemble(in));
		const auto steps = cpu.run(limit);
		std::cerr << steps << " steps\n";
	} catch (const machine::Trap &trap) {
		std::cerr << trap.what() << '\n';
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
