/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Several class loaders of one JVM, each with verbs4j of its own, as application servers have them. */
package io.verbs4j.provider.rxe.loader;
