/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.tools.process.ProviderJars;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code verbs} command. */
@Command(
        name = "verbs",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VerbsCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "RDMA from Java: lists, tests and benchmarks devices, and copies files.",
        descriptionHeading = "%n",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        parameterListHeading = "%nParameters:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed: data mismatch, lost peer, failed verb, or the result could not be written",
            "2:invalid command line",
            "3:no device, or the device does not support what was requested"
        },
        footerHeading = "%n",
        footer = {
            "./verbs matrix runs programs, libraries and providers of every level against each other. It is a separate"
                    + " program, available only in a checkout: see ./verbs matrix --help.",
            "",
            "-DNAME=VALUE sets a system property, also in the second process that a command starts. For example:"
                    + " -Dio.verbs4j.rxe.faults=drop=0.05,seed=7.",
            "With VERBS4J_DEBUG=1 in the environment, errors are printed with their stack traces."
        })
final class VerbsCommand implements Runnable {
    private final List<Path> providers = new ArrayList<>();

    @Spec
    CommandSpec spec;

    @Option(
            names = "-D",
            paramLabel = "NAME=VALUE",
            mapFallbackValue = "",
            scope = ScopeType.INHERIT,
            hidden = true,
            description = "set a property") // described in the footer: picocli would show it as -D=NAME=VALUE
    void properties(Map<String, String> properties) {
        properties.forEach(System::setProperty);
    }

    @Option(
            names = ProviderJars.OPTION,
            paramLabel = "JAR",
            scope = ScopeType.INHERIT,
            description =
                    "also use the provider in this jar or folder of classes; repeat the option for each dependency")
    void provider(List<Path> jars) {
        for (Path jar : jars) {
            String wrong = ProviderJars.wrong(jar);
            if (!wrong.isEmpty()) {
                throw misused(jar + ": " + wrong);
            }
            if (!providers.contains(jar)) {
                providers.add(jar);
            }
        }
    }

    /** Runs a command with the providers that were named on the command line. */
    int execute(ParseResult parsed) {
        CommandLine.IExecutionStrategy usual = new CommandLine.RunLast();
        if (providers.isEmpty()) {
            return usual.execute(parsed);
        }
        if (!ProviderJars.anyRegisters(providers)) {
            throw misused(providers.get(0) + ": registers no provider: a provider's jar contains"
                    + " META-INF/services/io.verbs4j.spi.VerbsProvider");
        }
        ProviderJars used = ProviderJars.use(providers);
        try {
            return usual.execute(parsed);
        } finally {
            used.close();
        }
    }

    private ParameterException misused(String what) {
        return new ParameterException(spec.commandLine(), ProviderJars.OPTION + " " + what);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "no command given: use devices, info, ping, pingpong, bench, copy or top");
    }

    /** The text of {@code --version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = VerbsCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "verbs4j " + (version == null ? "(not packaged)" : version) + ", API level " + VerbsLevel.CURRENT
                        + ", library level " + Verbs.level() + ", Java " + Runtime.version()
            };
        }
    }
}
