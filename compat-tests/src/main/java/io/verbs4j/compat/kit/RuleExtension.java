/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Skips rules that a device is not for, with the reason; makes failures say the rule, what was seen, and where to look. */
final class RuleExtension implements BeforeEachCallback, TestExecutionExceptionHandler {
    RuleExtension() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        Rule rule = rule(context);
        if (rule == null) {
            return; // a test that the author has added
        }
        KitBase kit = (KitBase) context.getRequiredTestInstance();
        Assumptions.assumeTrue(
                kit.level() >= rule.since(),
                () -> rule.id() + " binds providers that were written for level " + rule.since()
                        + " or later, and level() says that this one was written for " + kit.level()
                        + "; it counts from the level on to which you bring it");
        for (Capability needed : rule.needs()) {
            Assumptions.assumeTrue(needed.in(kit), () -> needed.missing(rule.id()));
        }
        List<Capability> choice = List.of(rule.oneOf());
        Assumptions.assumeTrue(
                choice.isEmpty() || choice.stream().anyMatch(one -> one.in(kit)),
                () -> Capability.missing(rule.id(), choice));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        Rule rule = rule(context);
        if (rule == null
                || thrown instanceof TestAbortedException
                || thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError)) {
            throw thrown;
        }
        KitBase kit = (KitBase) context.getRequiredTestInstance();
        kit.meetOps();
        String seen = thrown instanceof AssertionFailedError ? thrown.getMessage() : thrown.toString();
        StringBuilder words = new StringBuilder()
                .append("rule ")
                .append(rule.id())
                .append(" is broken: ")
                .append(rule.says())
                .append("\n  seen: ")
                .append(seen);
        for (String method : rule.look()) {
            words.append("\n  look at: ").append(kit.authors().find(method));
        }
        words.append("\n  described in: ").append(rule.man());
        words.append("\n  binds: providers written for level ")
                .append(rule.since())
                .append(" or later");
        throw new AssertionFailedError(words.toString(), thrown);
    }

    private static Rule rule(ExtensionContext context) {
        return context.getRequiredTestMethod().getAnnotation(Rule.class);
    }
}
