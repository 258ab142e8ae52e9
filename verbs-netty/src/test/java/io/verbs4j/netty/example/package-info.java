/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The programs of {@code examples}, in processes of their own. */
package io.verbs4j.netty.example;
