/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Gives each rule its {@link Rig}. Skips rules that do not apply to a device, with the reason; adds the rule, what was
 * observed and where to look to failures.
 */
final class RuleExtension
        implements BeforeEachCallback, ParameterResolver, TestExecutionExceptionHandler, AfterEachCallback {
    private static final ExtensionContext.Namespace RIGS = ExtensionContext.Namespace.create(RuleExtension.class);

    RuleExtension() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        Rule rule = rule(context);
        if (rule == null) {
            return; // a test that the author has added
        }
        ProviderKit kit = kit(context);
        Assumptions.assumeTrue(
                kit.level() >= rule.since(),
                () -> rule.id() + " binds providers written for level " + rule.since() + " or later, but level() is "
                        + kit.level() + "; raise level() once you have reviewed the provider for a later level");
        Set<Capability> declared = kit.capabilities();
        for (Capability needed : rule.needs()) {
            Assumptions.assumeTrue(declared.contains(needed), () -> needed.missing(rule.id()));
        }
        List<Capability> choice = List.of(rule.oneOf());
        Assumptions.assumeTrue(
                choice.isEmpty() || choice.stream().anyMatch(declared::contains),
                () -> Capability.missing(rule.id(), choice));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Rig.class.isAssignableFrom(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        try {
            Constructor<?> rigs = parameter.getParameter().getType().getDeclaredConstructor(ProviderKit.class);
            Object rig = rigs.newInstance(kit(context));
            context.getStore(RIGS).put(Rig.class, rig);
            return rig;
        } catch (ReflectiveOperationException e) {
            throw new ParameterResolutionException("no rig for " + parameter.getParameter(), e);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        Rule rule = rule(context);
        Rig rig = context.getStore(RIGS).get(Rig.class, Rig.class);
        if (rule == null
                || rig == null
                || thrown instanceof TestAbortedException
                || thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError)) {
            throw thrown;
        }
        rig.meetOps();
        String seen = thrown instanceof AssertionFailedError ? thrown.getMessage() : thrown.toString();
        StringBuilder words = new StringBuilder()
                .append("rule ")
                .append(rule.id())
                .append(" is broken: ")
                .append(rule.says())
                .append("\n  seen: ")
                .append(seen);
        for (String method : rule.look()) {
            words.append("\n  look at: ").append(rig.authors().find(method));
        }
        words.append("\n  described in: ").append(rule.man());
        words.append("\n  binds: providers written for level ")
                .append(rule.since())
                .append(" or later");
        throw new AssertionFailedError(words.toString(), thrown);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Rig rig = context.getStore(RIGS).remove(Rig.class, Rig.class);
        if (rig != null) {
            rig.closeAll();
        }
    }

    private static ProviderKit kit(ExtensionContext context) {
        return (ProviderKit) context.getRequiredTestInstance();
    }

    private static Rule rule(ExtensionContext context) {
        return context.getRequiredTestMethod().getAnnotation(Rule.class);
    }
}
