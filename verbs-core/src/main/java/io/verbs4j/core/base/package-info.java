/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What discovery and verbs share: checks of arguments and of the header's age, and what the library knows of a provider, down
 * to what becomes of that which one throws.
 */
package io.verbs4j.core.base;
