// Riff
// SPDX-License-Identifier: Apache-2.0

/// The names of providers in configurations of the agent, and those of models.dev: often others. As hermes-agent 0.19
/// has it (`hermes_cli/models.py`, `hermes_cli/providers.py`, `agent/models_dev.py`).
enum ModelProviderNames {
    /// Keys of models.dev by the names that configurations have.
    static let keys: [String: String] = [
        "ai-gateway": "vercel", "alibaba-cloud": "alibaba", "aliyun": "alibaba", "amazon": "amazon-bedrock",
        "aws": "amazon-bedrock", "aws-bedrock": "amazon-bedrock", "azure-foundry": "azure", "bedrock": "amazon-bedrock",
        "build-nvidia": "nvidia", "claude": "anthropic", "claude-code": "anthropic", "copilot": "github-copilot",
        "dashscope": "alibaba", "deep-seek": "deepseek", "fireworks": "fireworks-ai", "fw": "fireworks-ai",
        "gcp-vertex": "google-vertex", "gemini": "google", "github": "github-copilot", "github-model": "github-copilot",
        "github-models": "github-copilot", "glm": "zai", "go": "opencode-go", "google-ai-studio": "google",
        "google-gemini": "google", "grok": "xai", "grok-oauth": "xai", "hf": "huggingface",
        "hugging-face": "huggingface", "huggingface-hub": "huggingface", "kilo-code": "kilo", "kilo-gateway": "kilo",
        "kilocode": "kilo", "kimi": "kimi-for-coding", "kimi-cn": "kimi-for-coding", "kimi-coding": "kimi-for-coding",
        "kimi-coding-cn": "kimi-for-coding", "mimo": "xiaomi", "minimax-china": "minimax-cn",
        "minimax-global": "minimax", "minimax-oauth": "minimax", "minimax-portal": "minimax",
        "minimax_cn": "minimax-cn",
        "minimax_oauth": "minimax", "moonshot": "kimi-for-coding", "moonshot-cn": "kimi-for-coding",
        "nemotron": "nvidia", "nim": "nvidia", "novita": "novita-ai", "novitaai": "novita-ai", "nvidia-nim": "nvidia",
        "ollama_cloud": "ollama-cloud", "openai-api": "openai", "opencode-go-sub": "opencode-go",
        "opencode-zen": "opencode", "qwen": "alibaba", "solar": "upstage", "step": "stepfun",
        "stepfun-coding-plan": "stepfun", "vertex": "google-vertex", "vertex-ai": "google-vertex",
        "vertexai": "google-vertex", "x-ai": "xai", "x-ai-oauth": "xai", "x.ai": "xai", "xai-grok-oauth": "xai",
        "xai-oauth": "xai", "xiaomi-mimo": "xiaomi", "z-ai": "zai", "z.ai": "zai", "zen": "opencode", "zhipu": "zai",
    ]

    /// Providers that the agent knows, and whose models may be in no list.
    static let known: Set<String> = [
        "alibaba", "alibaba-coding-plan", "anthropic", "arcee", "cohere", "deepseek", "gmi", "huggingface", "kilo",
        "lmstudio", "llama-cpp", "llama.cpp", "llamacpp", "lm-studio", "lm_studio", "local", "minimax", "minimax-cn",
        "mistral", "moa", "nvidia", "ollama", "ollama-cloud", "openai", "opencode", "opencode-go", "openrouter",
        "perplexity", "stepfun", "tencent", "tencent-cloud", "tencent-tokenhub", "togetherai", "tokenhub", "upstage",
        "vllm", "xai", "xiaomi", "zai",
    ]

    /// A name as it is looked up: the agent takes no notice of capitals and of space around it.
    static func normal(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
