/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What discovery and verbs share: argument checks, the check of the header's age, and what is known about a provider,
 * including the conversion of what it throws.
 */
package io.verbs4j.core.base;
